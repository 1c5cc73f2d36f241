using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Larder.FileStore.Engine;

/// <summary>Tells this run of the machine from earlier ones: what the sidecar says is trusted only within one run.</summary>
internal static class BootIdentity
{
    /// <summary>Never 0. Where the system has no boot id (macOS) it is constant, and opening relies on the file's own checks.</summary>
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
