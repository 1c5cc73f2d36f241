namespace Larder.Tuner.Tests;

public sealed class CommandLineTests
{
    [Theory]
    [InlineData("bench --in-flight 100,5000@default", "./larder bench --in-flight 100,5000@default")]
    [InlineData("bench --output file.md --json", "./larder bench --json")]
    [InlineData("bench --server http://secret@host:1 --json", "./larder bench --server http://…@host:1 --json")]
    [InlineData("bench --server secret@host", "./larder bench --server …@host")]
    [InlineData("bench --server=http://secret@host", "./larder bench --server=http://…@host")]
    [InlineData("tune --assert p999<5ms", "./larder tune --assert \"p999<5ms\"")]
    public void Typed_returns_command_without_token(string typed, string shown) =>
        Assert.Equal(shown, CommandLine.Typed([.. typed.Split(' ')], "--output"));
}
