using System.Runtime.Versioning;
using Larder.Server.Security;

namespace Larder.Server.Tests.Security;

public sealed class TokenTableFileTests : IDisposable
{
    private readonly string _path = Path.GetTempFileName();

    [Fact]
    public void Token_file_error_contains_option_name_and_file_path()
    {
        AssertRefused(_path + ".nowhere", "cannot be read");
        AssertRefused(Path.GetTempPath(), "cannot be read");
        AssertRefused(_path, "invalid JSON");
    }

    [Fact]
    public void Token_file_of_100_MB_is_rejected_without_reading_it()
    {
        using (FileStream large = File.OpenWrite(_path))
        {
            large.SetLength(100 << 20);
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        AssertRefused(_path, "exceeds 8388608 bytes");
        Assert.True(GC.GetAllocatedBytesForCurrentThread() - before < 2 * TokenTableFile.MaxBytes);
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(9_999, false)]
    [InlineData(10_000, false)]
    [InlineData(10_001, true)]
    [InlineData(100_000, true)]
    public void PrivateFile_reads_files_up_to_the_size_limit(int length, bool isTooLarge)
    {
        File.WriteAllBytes(_path, new byte[length]);
        if (isTooLarge)
        {
            ServerOptionsException refused = Assert.Throws<ServerOptionsException>(() => PrivateFile.Read("--tokens", _path, 10_000, "is long"));
            Assert.Contains("is long", refused.Message, StringComparison.Ordinal);
        }
        else
        {
            Assert.Equal(length, PrivateFile.Read("--tokens", _path, 10_000, "is long").Length);
        }
    }

    /// <summary>Reads a /proc file, which reports the length 0 although it has contents. This simulates a file that grows after its length was read.</summary>
    [Fact]
    [SupportedOSPlatform("linux")]
    public void PrivateFile_reads_to_the_end_when_reported_length_is_zero()
    {
        const string Maps = "/proc/self/maps";
        Assert.Equal(0, new FileInfo(Maps).Length);
        byte[] read = PrivateFile.Read("--tokens", Maps, TokenTableFile.MaxBytes, "is long");
        Assert.True(read.Length > 3 * 4096, $"{read.Length} bytes");
        Assert.Equal((byte)'\n', read[^1]);
        Assert.Throws<ServerOptionsException>(() => PrivateFile.Read("--tokens", Maps, 5_000, "is long"));
    }

    [Fact]
    [UnsupportedOSPlatform("windows")]
    public void IsOpenToOthers_detects_group_readable_file()
    {
        File.SetUnixFileMode(_path, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        Assert.False(TokenTableFile.IsOpenToOthers(_path));
        File.SetUnixFileMode(_path, UnixFileMode.UserRead | UnixFileMode.GroupRead);
        Assert.True(TokenTableFile.IsOpenToOthers(_path));
        Assert.False(TokenTableFile.IsOpenToOthers(_path + ".nowhere"));
    }

    public void Dispose() => File.Delete(_path);

    private static void AssertRefused(string path, string said)
    {
        string error = Assert.Throws<ServerOptionsException>(() => TokenTableFile.Read("--tokens", path)).Message;
        Assert.Contains($"--tokens {path}", error, StringComparison.Ordinal);
        Assert.Contains(said, error, StringComparison.Ordinal);
    }
}
