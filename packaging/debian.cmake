# SPDX-License-Identifier: Apache-2.0
# Run by `cpack` between the installation into its staging folder and the making of the .deb: what Debian has elsewhere
# or in another form than `cmake --install`.
set(share ${CPACK_TEMPORARY_DIRECTORY}/usr/share)

# Debian's zsh looks for the completion of packages there, and not in site-functions.
if(EXISTS ${share}/zsh/site-functions)
  file(MAKE_DIRECTORY ${share}/zsh/vendor-completions)
  file(RENAME ${share}/zsh/site-functions/_clarity ${share}/zsh/vendor-completions/_clarity)
  file(REMOVE_RECURSE ${share}/zsh/site-functions)
endif()

# clarity.pc is for every architecture: it names no library to link.
file(MAKE_DIRECTORY ${share}/pkgconfig)
file(RENAME ${CPACK_TEMPORARY_DIRECTORY}/usr/lib/pkgconfig/clarity.pc ${share}/pkgconfig/clarity.pc)
file(REMOVE_RECURSE ${CPACK_TEMPORARY_DIRECTORY}/usr/lib/pkgconfig)

# Hints of lintian that are intended.
file(MAKE_DIRECTORY ${share}/lintian/overrides)
file(COPY_FILE ${CMAKE_CURRENT_LIST_DIR}/lintian-overrides ${share}/lintian/overrides/clarity-opencl)

# Debian's own list of changes, beside ours; of the time that ours was changed.
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
else()
  file(TIMESTAMP ${share}/doc/clarity-opencl/CHANGELOG.md date "%a, %d %b %Y %H:%M:%S +0000" UTC)
endif()
file(WRITE ${share}/doc/clarity-opencl/changelog.Debian
"clarity-opencl (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * The release ${CPACK_PACKAGE_VERSION}: changelog.gz.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")

# Manual pages and the list of changes are compressed there, without a time, so that the same content is the same file.
file(RENAME ${share}/doc/clarity-opencl/CHANGELOG.md ${share}/doc/clarity-opencl/changelog)
include(${CMAKE_CURRENT_LIST_DIR}/document_links.cmake)
clarity_remove_dead_links(${share}/doc/clarity-opencl)
file(GLOB pages ${share}/man/man*/*.[1-9])
file(GLOB changes ${share}/doc/clarity-opencl/changelog*)
execute_process(COMMAND gzip -9n ${pages} ${changes} COMMAND_ERROR_IS_FATAL ANY)
