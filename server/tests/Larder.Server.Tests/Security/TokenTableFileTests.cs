using System.Runtime.Versioning;
using Larder.Server.Security;

namespace Larder.Server.Tests.Security;

public sealed class TokenTableFileTests : IDisposable
{
    private readonly string _path = Path.GetTempFileName();

    [Fact]
    public void A_file_that_is_missing_or_no_file_of_tokens_is_refused_by_its_option_and_path()
    {
        AssertRefused(_path + ".nowhere", "cannot be read");
        AssertRefused(Path.GetTempPath(), "cannot be read");
        AssertRefused(_path, "no JSON");
    }

    [Fact]
    public void A_file_of_a_hundred_megabytes_is_refused_and_not_read()
    {
        using (FileStream large = File.OpenWrite(_path))
        {
            large.SetLength(100 << 20);
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        AssertRefused(_path, "larger than 8388608 bytes");
        Assert.True(GC.GetAllocatedBytesForCurrentThread() - before < 2 * TokenTableFile.MaxBytes);
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(9_999, false)]
    [InlineData(10_000, false)]
    [InlineData(10_001, true)]
    [InlineData(100_000, true)]
    public void A_file_is_read_up_to_its_bound(int length, bool isTooLarge)
    {
        File.WriteAllBytes(_path, new byte[length]);
        if (isTooLarge)
        {
            ServerOptionsException refused = Assert.Throws<ServerOptionsException>(() => OwnFile.Read("--tokens", _path, 10_000, "is long"));
            Assert.Contains("is long", refused.Message, StringComparison.Ordinal);
        }
        else
        {
            Assert.Equal(length, OwnFile.Read("--tokens", _path, 10_000, "is long").Length);
        }
    }

    /// <summary>The length of a /proc file is 0, like that of a file that grows after its length was read.</summary>
    [Fact]
    [SupportedOSPlatform("linux")]
    public void A_file_that_has_more_than_it_says_is_read_to_its_end()
    {
        const string Maps = "/proc/self/maps";
        Assert.Equal(0, new FileInfo(Maps).Length);
        byte[] read = OwnFile.Read("--tokens", Maps, TokenTableFile.MaxBytes, "is long");
        Assert.True(read.Length > 3 * 4096, $"{read.Length} bytes");
        Assert.Equal((byte)'\n', read[^1]);
        Assert.Throws<ServerOptionsException>(() => OwnFile.Read("--tokens", Maps, 5_000, "is long"));
    }

    [Fact]
    [UnsupportedOSPlatform("windows")]
    public void Others_than_the_owner_are_seen()
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
