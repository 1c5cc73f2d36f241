using System.CommandLine;
using Larder.Cli;

namespace Larder.Client.Tests.Cli;

public sealed class OptionCheckTests
{
    [Theory]
    [InlineData("", "set", "k", "v", "--ttl", "9")]
    [InlineData("", "set", "k", "-")]
    [InlineData("", "set", "k", "-5", "--ttl=9", "--timeout-ms:9")]
    [InlineData("", "set", "k", "--", "--tll")]
    [InlineData("", "set", "--token", "--secret", "k", "v")]
    [InlineData("", "set", "--help")]
    [InlineData("", "zset", "put", "z", "-inf", "e", "-0.5", "f")]
    [InlineData("", "list", "all", "l", "--start", "-1")]
    [InlineData("-info", "zset", "put", "z", "-info", "e")]
    [InlineData("--tll", "set", "k", "v", "--tll", "9")]
    [InlineData("--tll", "set", "k", "v", "--tll=9")]
    [InlineData("-v", "set", "k", "-v", "--hex")]
    [InlineData("--console", "get", "k", "--console", "x")]
    public void OptionCheck_returns_option_that_the_command_does_not_support(string unknown, params string[] words)
    {
        CommandLine line = new();
        Command command = line.Root.Parse(words).CommandResult.Command;
        Assert.Equal(unknown, string.Join(' ', OptionCheck.Unknown(command, words)));
    }
}
