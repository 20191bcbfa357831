#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of SPIR-V's grammar from the JSON files of Khronos' SPIRV-Headers.

    make_grammar.py CORE.json OPENCL_STD.json NEWER.json ENUMS.h TABLES.inc

NEWER.json has the same form as CORE.json, with what is newer than the installed headers. ENUMS.h gets an enumeration
for each kind of operand, TABLES.inc the rows that grammar.cpp includes.
"""
import json
import sys

LICENCE = "// Made by make_grammar.py of the grammar in Khronos' SPIRV-Headers.\n"
QUANTIFIERS = {"": "One", "?": "Optional", "*": "Many"}
# Kinds of operands that the decoder tells apart; every enumeration is one, too.
LITERALS = ["LiteralInteger", "LiteralString", "LiteralContextDependentNumber", "LiteralExtInstInteger",
            "LiteralSpecConstantOpInteger", "LiteralFloat"]
PAIRS = ["PairLiteralIntegerIdRef", "PairIdRefLiteralInteger", "PairIdRefIdRef"]
IDS = ["IdRef", "IdScope", "IdMemorySemantics"]


def number(value):
    return int(value, 0) if isinstance(value, str) else value


def merged(core, newer):
    """The grammar with what is newer: instructions replace those of the same name, enumerants are added."""
    changed = {row["opname"] for row in newer["instructions"]}
    kept = [row for row in core["instructions"] if row["opname"] not in changed]
    core["instructions"] = kept + newer["instructions"]
    kinds = {kind["kind"]: kind for kind in core["operand_kinds"]}
    for kind in newer["operand_kinds"]:
        if kind["kind"] not in kinds:
            core["operand_kinds"].append(kind)
            continue
        rows = kinds[kind["kind"]]["enumerants"]
        known = {name for row in rows for name in names(row, "enumerant")}
        rows += [row for row in kind["enumerants"] if row["enumerant"] not in known]
    return core


def names(row, key):
    """A row's name and its other names; older grammars have a row for each."""
    return [row[key]] + row.get("aliases", [])


def identifier(kind, name):
    return kind + name if name[0].isdigit() else name


def enumeration(name, width, rows):
    lines = [f"enum class {name} : std::{width} {{"]
    lines += [f"  {row} = {value}," for row, value in rows]
    return "\n".join(lines + ["};", ""])


def main():
    core_path, std_path, newer_path, enums_path, tables_path = sys.argv[1:]
    with open(core_path) as core, open(newer_path) as newer, open(std_path) as std_file:
        grammar, std = merged(json.load(core), json.load(newer)), json.load(std_file)
    enumerations = [kind for kind in grammar["operand_kinds"] if kind["category"] in ("BitEnum", "ValueEnum")]
    kinds = IDS + LITERALS + PAIRS + [kind["kind"] for kind in enumerations]
    bits = [kind["kind"] for kind in enumerations if kind["category"] == "BitEnum"]

    with open(enums_path, "w") as out:
        out.write(LICENCE + "#pragma once\n\n#include <cstdint>\n\nnamespace clarity::compiler::spirv {\n\n")
        ops = [(name[2:], row["opcode"]) for row in grammar["instructions"] for name in names(row, "opname")]
        out.write(enumeration("Op", "uint16_t", ops))
        out.write(enumeration("Std", "uint32_t", [(row["opname"], row["opcode"]) for row in std["instructions"]]))
        for kind in enumerations:
            rows = [(identifier(kind["kind"], name), number(row["value"]))
                    for row in kind["enumerants"] for name in names(row, "enumerant")]
            rows = list(dict(rows).items())
            out.write(enumeration(kind["kind"], "uint32_t", rows))
        out.write(enumeration("OperandKind", "uint8_t", [(kind + "_", i) for i, kind in enumerate(kinds)]))
        out.write("}  // namespace clarity::compiler::spirv\n")

    operands, opcodes = [], {}
    for row in grammar["instructions"]:
        mine = [operand for operand in row.get("operands", [])]
        types = any(operand["kind"] == "IdResultType" for operand in mine)
        result = any(operand["kind"] == "IdResult" for operand in mine)
        mine = [operand for operand in mine if operand["kind"] not in ("IdResultType", "IdResult")]
        first = len(operands)
        operands += [(operand["kind"], QUANTIFIERS[operand.get("quantifier", "")]) for operand in mine]
        opcodes.setdefault(row["opcode"], (row["opname"], types, result, first, len(mine)))
    parameters, enumerants = [], {}
    for kind in enumerations:
        for row in kind["enumerants"]:
            given = row.get("parameters", [])
            first = len(operands) + len(parameters)
            parameters += [(parameter["kind"], QUANTIFIERS[parameter.get("quantifier", "")]) for parameter in given]
            enumerants.setdefault((kinds.index(kind["kind"]), number(row["value"])),
                                  (row["enumerant"], first, len(given)))

    with open(tables_path, "w") as out:
        out.write(LICENCE + "constexpr OperandRow operandRows[] = {\n")
        out.writelines(f"    {{OperandKind::{kind}_, Quantifier::{quantifier}}},\n"
                       for kind, quantifier in operands + parameters)
        out.write("};\nconstexpr OpcodeRow opcodeRows[] = {\n")
        out.writelines(f"    {{{code}, \"{name}\", {str(types).lower()}, {str(result).lower()}, {first}, {count}}},\n"
                       for code, (name, types, result, first, count) in sorted(opcodes.items()))
        out.write("};\nconstexpr EnumerantRow enumerantRows[] = {\n")
        out.writelines(f"    {{OperandKind::{kinds[kind]}_, {value}u, \"{name}\", {first}, {count}}},\n"
                       for (kind, value), (name, first, count) in sorted(enumerants.items()))
        out.write("};\nconstexpr StdRow stdRows[] = {\n")
        out.writelines(f"    {{{row['opcode']}, \"{row['opname']}\"}},\n"
                       for row in sorted(std["instructions"], key=lambda row: row["opcode"]))
        out.write("};\nconstexpr OperandKind bitKinds[] = {" + ", ".join(f"OperandKind::{kind}_" for kind in bits))
        out.write("};\n")


if __name__ == "__main__":
    main()
