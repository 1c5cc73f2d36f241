using Larder.Harness.Redis;
using Larder.Lab.Ceiling;
using Larder.Tuner.Processes;

namespace Larder.Lab.Tests.Ceiling;

public sealed class RedisBenchmarkTests
{
    [Fact]
    public void HalfAndHalf_computes_rate_of_mixed_gets_and_sets() =>
        Assert.Equal(
            150_000,
            RedisBenchmark.HalfAndHalf("\"test\",\"rps\",\"avg_latency_ms\"\n\"SET\",\"100000.00\",\"0.1\"\n\"GET\",\"300000.00\",\"0.1\"\n"),
            tolerance: 1);

    [Theory]
    [InlineData("")]
    [InlineData("\"SET\",\"100000.00\"")]
    [InlineData("\"SET\",\"100000.00\"\n\"GET\",\"0.00\"")]
    [InlineData("Could not connect\nGET,many")]
    public void HalfAndHalf_rejects_output_without_both_rates(string said) => Assert.Throws<TunerException>(() => RedisBenchmark.HalfAndHalf(said));

    [Fact]
    public async Task RunAsync_measures_gets_and_sets_of_server()
    {
        using RedisServer redis = new();
        Assert.InRange(await new RedisBenchmark(redis.Port, pipelined: 10, valueBytes: 100, keys: 1_000).RunAsync(seconds: 0.01), 1, double.MaxValue);
    }
}
