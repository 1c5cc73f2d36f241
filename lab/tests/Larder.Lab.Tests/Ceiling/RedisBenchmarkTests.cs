using Larder.Harness.Redis;
using Larder.Lab.Ceiling;
using Larder.Tuner.Processes;

namespace Larder.Lab.Tests.Ceiling;

public sealed class RedisBenchmarkTests
{
    [Fact]
    public void Half_gets_and_half_sets_take_as_long_as_both() =>
        Assert.Equal(
            150_000,
            RedisBenchmark.HalfAndHalf("\"test\",\"rps\",\"avg_latency_ms\"\n\"SET\",\"100000.00\",\"0.1\"\n\"GET\",\"300000.00\",\"0.1\"\n"),
            tolerance: 1);

    [Theory]
    [InlineData("")]
    [InlineData("\"SET\",\"100000.00\"")]
    [InlineData("\"SET\",\"100000.00\"\n\"GET\",\"0.00\"")]
    [InlineData("Could not connect\nGET,many")]
    public void What_does_not_tell_both_is_no_figure(string said) => Assert.Throws<TunerException>(() => RedisBenchmark.HalfAndHalf(said));

    [Fact]
    public async Task The_program_tells_both_of_a_server()
    {
        using RedisServer redis = new();
        Assert.InRange(await new RedisBenchmark(redis.Port, pipelined: 10, valueBytes: 100, keys: 1_000).RunAsync(seconds: 0.01), 1, double.MaxValue);
    }
}
