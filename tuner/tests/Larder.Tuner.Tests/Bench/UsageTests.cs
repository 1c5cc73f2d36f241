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
    public async Task A_value_that_cannot_be_right_is_exit_code_2_in_bench_as_in_tune(string arguments)
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
    public async Task So_are_those_that_only_bench_takes_so(string arguments) => Assert.Equal(2, await BenchCommand.Create().Parse(arguments).InvokeAsync());
}
