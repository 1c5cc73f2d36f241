using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Larder.FileStore.Engine;

/// <summary>Identifies the current boot of the machine. The contents of the sidecar are trusted only within one boot.</summary>
internal static class BootIdentity
{
    /// <summary>
    /// Gets the identity of the current boot, which is never 0. If the system has no boot id (macOS), the identity is constant, and the opening of a cache
    /// relies on the checks of the file itself.
    /// </summary>
    internal static long Current { get; } = Read();

    private static long Read()
    {
        const string path = "/proc/sys/kernel/random/boot_id";
        try
        {
            return BinaryPrimitives.ReadInt64LittleEndian(SHA256.HashData(File.ReadAllBytes(path))) | 1;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return 1;
        }
    }
}
