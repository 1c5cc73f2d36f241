using System.Diagnostics;
using System.Text;
using Larder.Agent;

namespace Larder.Tuner.Tests.Load;

public sealed class LoadTraceTests
{
    private static readonly string[] s_lines = ["time,op,key,size,ttlMs", "10.0,set,a,20,500", "10.5,get,a,20,", "12.0,set,b,3"];

    [Fact]
    public void Calls_repeat_in_order_of_trace_file()
    {
        var trace = LoadTrace.Parse(s_lines, ttlMs: 1000);
        LoadTraceCall[] calls = Enumerable.Range(0, 4).Select(_ => trace.Next()).ToArray();
        Assert.Equal(
            "setA getA setB setA",
            string.Join(' ', calls.Select(call => (call.IsRead ? "get" : "set") + Encoding.UTF8.GetString(call.Key).ToUpperInvariant())));
        Assert.Equal([500, 1000, 1000], calls.Take(3).Select(call => call.Ttl.TotalMilliseconds));
        Assert.Equal("avvvvvvvvvvvvvvvvvvv", Encoding.UTF8.GetString(calls[0].Value));
        Assert.Equal("bvv", Encoding.UTF8.GetString(calls[2].Value));
        Assert.Equal(2, trace.Keys.Count);
    }

    [Fact]
    public void Trace_gaps_are_scaled_to_rate()
    {
        // The trace has three calls in 2 s. It repeats after the average gap of 1 s, so one pass is 3 calls in 3 s. At 30 calls per second, this is 0.1 s.
        var trace = LoadTrace.Parse(s_lines, ttlMs: 1000);
        IEnumerable<double> due = Enumerable.Range(0, 5).Select(i => Math.Round(trace.DueTicks(i, ratePerSecond: 30) / Stopwatch.Frequency, 6));
        Assert.Equal([0, 0.016667, 0.066667, 0.1, 0.116667], due);
    }

    [Fact]
    public void Trace_without_gaps_is_replayed_evenly() =>
        Assert.Equal(0.5, LoadTrace.Parse(["0,get,a,1", "0,get,a,1"], 1).DueTicks(5, 10) / Stopwatch.Frequency, 6);

    [Theory]
    [InlineData("1,get,a")]
    [InlineData("1,delete,a,5")]
    [InlineData("1,get,,5")]
    [InlineData("1,get,a,-5")]
    [InlineData("0.5,get,a,5")]
    [InlineData("1,set,a,5,0")]
    public void Parse_reports_number_of_invalid_line(string line) =>
        Assert.Contains("line 2", Assert.Throws<AgentException>(() => LoadTrace.Parse(["0.9,get,a,5", line], 1)).Message, StringComparison.Ordinal);

    [Fact]
    public void Parse_rejects_empty_trace() => Assert.Throws<AgentException>(() => LoadTrace.Parse(["time,op,key,size"], 1));
}
