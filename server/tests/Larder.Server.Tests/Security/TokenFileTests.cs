using Larder.Server.Security;

namespace Larder.Server.Tests.Security;

public sealed class TokenFileTests : IDisposable
{
    private readonly string _path = Path.GetTempFileName();

    [Theory]
    [InlineData("sesame")]
    [InlineData("sesame\n")]
    [InlineData("  sesame\r\nanother line\n")]
    public void Read_returns_the_trimmed_first_line(string content)
    {
        File.WriteAllText(_path, content);
        Assert.Equal("sesame", TokenFile.Read("--token-file", _path));
    }

    [Fact]
    public void Read_rejects_empty_missing_or_oversized_file()
    {
        AssertRefused(_path);
        AssertRefused(_path + ".nowhere");
        File.WriteAllText(_path, new string('x', (8 * 1024) + 1));
        AssertRefused(_path);
    }

    public void Dispose() => File.Delete(_path);

    private static void AssertRefused(string path) =>
        Assert.Contains(path, Assert.Throws<ServerOptionsException>(() => TokenFile.Read("--token-file", path)).Message, StringComparison.Ordinal);
}
