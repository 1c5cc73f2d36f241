using System.CommandLine;
using Larder.Tuner.Bench;
using Larder.Tuner.Tune;

namespace Larder.Tuner.Tests.Bench;

public sealed class UsageTests
{
    [Theory]
    [InlineData("--client cobol")]
    [InlineData("--peer cobol")]
    [InlineData("--server http://tok@127.0.0.1:1/path")]
    [InlineData("--console https://127.0.0.1")]
    [InlineData("--configuration cobol")]
    public async Task Invalid_shared_option_of_bench_and_tune_exits_with_2(string arguments)
    {
        Assert.Equal(2, await BenchCommand.Create().Parse(arguments).InvokeAsync());
        Assert.Equal(2, await TuneCommand.Create().Parse(arguments).InvokeAsync());
    }

    [Theory]
    [InlineData("--transport cobol")]
    [InlineData("--workload cobol")]
    [InlineData("--client ,")]
    [InlineData("--in-flight 0")]
    [InlineData("--store cobol")]
    [InlineData("--peer redis-cluster")]
    [InlineData("--store redis-cluster --server 127.0.0.1:1")]
    [InlineData("--tls --server 127.0.0.1:1")]
    [InlineData("--tls --peer ioredis")]
    [InlineData("--before /tmp")]
    [InlineData("--other-server /missing/larder")]
    [InlineData("--other-server /bin/sh --server 127.0.0.1:1")]
    [InlineData("--other-server /bin/sh --store redis-cluster")]
    public async Task Invalid_bench_option_exits_with_2(string arguments) => Assert.Equal(2, await BenchCommand.Create().Parse(arguments).InvokeAsync());
}
