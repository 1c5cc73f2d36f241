using System.Text;
using Google.Protobuf;
using Larder.Harness.Clocks;
using Larder.Protocol;
using Larder.Server.Metrics;

namespace Larder.Server.Tests.Metrics;

public sealed class CallSamplerTests
{
    [Fact]
    public void Idle_server_samples_every_call()
    {
        using CallSampler sampler = new(new ManualTime());
        SampleGap gap = default;
        Assert.All(Enumerable.Range(0, 50), _ => Assert.True(gap.IsDue(sampler)));
        Assert.Equal(1, gap.Weight);
    }

    [Fact]
    public void Busy_server_samples_few_calls_with_matching_weights()
    {
        ManualTime time = new();
        using CallSampler sampler = new(time);
        SampleGap gap = default;
        long taken = 0;
        long weights = 0;
        for (int call = 0; call < 1_000_000; call++)
        {
            // The clock advances so that there are a million calls per second.
            if (call % 100 == 0)
            {
                time.Advance(TimeSpan.FromMicroseconds(100));
            }

            if (gap.IsDue(sampler))
            {
                taken++;
                weights += gap.Weight;
                sampler.Take("cache", "Get", Get("k"), gap.Weight, 0);
            }
        }

        Assert.Equal(CallSampler.MaxInterval, sampler.Gap);
        Assert.InRange(taken, 1_500, 4_500);
        Assert.InRange(weights, 850_000, 1_150_000);
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(1_000, 1)]
    [InlineData(1, 100_000)]
    [InlineData(1_000, 100_000)]
    public void All_calls_are_sampled_one_second_after_a_burst(int pipelines, int callsPerSecondBefore)
    {
        ManualTime time = new();
        using CallSampler sampler = new(time);
        SampleGap[] gaps = new SampleGap[pipelines];
        Offer(sampler, time, gaps, callsPerSecondBefore, seconds: 2);
        Offer(sampler, time, gaps, 3_000_000, seconds: 1);
        Assert.Equal(CallSampler.MaxInterval, sampler.Gap);

        // For one second, the pipelines are open but make no calls.
        time.Advance(TimeSpan.FromSeconds(1));
        sampler.After(0, out long newest);
        for (int call = 0; call < 8; call++)
        {
            ref SampleGap gap = ref gaps[call % pipelines];
            Assert.True(gap.IsDue(sampler));
            Assert.Equal(1, gap.Weight);
            sampler.Take("cache", "Get", Get($"quiet{call}"), gap.Weight, 0);
        }

        Assert.Equal(8, sampler.After(newest, out _).Count);
        Assert.Equal(1, sampler.Gap);
    }

    [Theory]
    [InlineData(3_000_000, 20_000)]
    [InlineData(20_000, 3_000_000)]
    [InlineData(20_000, 500)]
    [InlineData(500, 20_000)]
    public void Sampling_gap_follows_call_rate_within_a_second(int before, int after)
    {
        ManualTime time = new();
        using CallSampler sampler = new(time);
        SampleGap[] gaps = new SampleGap[10];
        Offer(sampler, time, gaps, before, seconds: 2);
        Offer(sampler, time, gaps, after, seconds: 1);
        int wanted = Math.Clamp((after + 999) / 1_000, 1, CallSampler.MaxInterval);
        Assert.InRange(sampler.Gap, Math.Max(1, wanted / 2), Math.Min(CallSampler.MaxInterval, 2 * wanted));
        (long sampled, long weights) = Offer(sampler, time, gaps, after, seconds: 1);
        Assert.InRange(weights, 0.7 * after, 1.3 * after);
        Assert.InRange(sampled, Math.Min(after, 500), Math.Max(2_500, after / CallSampler.MaxInterval * 2));
    }

    [Theory]
    [InlineData(249, 1)]
    [InlineData(250, 1)]
    [InlineData(2_500, 10)]
    public void Burst_over_250_calls_widens_the_sampling_gap(int calls, int widest)
    {
        ManualTime time = new();
        using CallSampler sampler = new(time);
        SampleGap gap = default;
        for (int call = 0; call < calls; call++)
        {
            if (gap.IsDue(sampler))
            {
                sampler.Take("cache", "Get", Get("k"), gap.Weight, 0);
            }
        }

        Assert.InRange(sampler.Gap, widest == 1 ? 1 : 2, widest);
    }

    [Fact]
    public void Timer_runs_only_while_sampling_gap_exceeds_one_call()
    {
        ManualTime time = new();
        using CallSampler sampler = new(time);
        int asked = 0;
        time.Asked = () => asked++;
        time.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(0, asked);
        time.Asked = null;
        SampleGap[] gaps = new SampleGap[1];
        Offer(sampler, time, gaps, 1_000_000, seconds: 1);
        time.Asked = () => asked++;
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.NotEqual(0, asked);
        asked = 0;
        time.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(0, asked);
    }

    [Fact]
    public void Sampling_gap_of_busy_server_does_not_affect_idle_server()
    {
        ManualTime time = new();
        using CallSampler busy = new(time);
        SampleGap gap = default;
        for (int call = 0; call < 1_000_000; call++)
        {
            if (gap.IsDue(busy))
            {
                busy.Take("cache", "Get", Get("k"), gap.Weight, 0);
            }
        }

        Assert.Equal(CallSampler.MaxInterval, busy.Gap);
        using CallSampler idle = new(time);
        Assert.All(Enumerable.Range(0, 50), _ => Assert.True(gap.IsDue(idle)));
        Assert.Equal(1, gap.Weight);
    }

    [Fact]
    public void CallSampler_stores_calls_only_while_a_reader_exists()
    {
        ManualTime time = new();
        using CallSampler sampler = new(time);
        sampler.Take("cache", "Get", Get("before"), 1, 0);
        Assert.Empty(sampler.After(0, out _));
        for (int call = 0; call < 2 * SampledCallLog.Kept; call++)
        {
            sampler.Take("cache", "Get", Get($"k{call}"), 3, CallSampler.Now());
        }

        IReadOnlyList<SampledCall> calls = sampler.After(0, out long newest);
        Assert.Equal((SampledCallLog.Kept, 2 * SampledCallLog.Kept), (calls.Count, newest));
        Assert.Equal((newest, $"k{newest - 1}", 3), (calls[^1].Number, Encoding.UTF8.GetString(calls[^1].Key), calls[^1].Weight));
        Assert.NotNull(calls[^1].TookUs);
        Assert.Empty(sampler.After(newest, out _));

        // If the samples are not read for five seconds, the sampler stops recording calls.
        time.Advance(TimeSpan.FromSeconds(6));
        sampler.Take("cache", "Get", Get("unseen"), 1, 0);
        Assert.Empty(sampler.After(0, out newest));
        Assert.Equal(2 * SampledCallLog.Kept, newest);
    }

    [Fact]
    public void Sampled_long_key_is_truncated()
    {
        using CallSampler sampler = new(new ManualTime());
        sampler.After(0, out _);
        sampler.Take("cache", "Get", Get(new string('k', 10_000)), 1, 0);
        SampledCall call = Assert.Single(sampler.After(0, out _));
        Assert.Equal((SampledKey.KeptBytes, 10_000, null), (call.Key.Length, call.KeyBytes, call.TookUs));
    }

    [Fact]
    public void Hottest_returns_most_called_key_with_its_share()
    {
        using CallSampler sampler = new(new ManualTime());
        Random random = new(1);
        for (int call = 0; call < 20_000; call++)
        {
            sampler.Take("cache", "Get", Get(random.Next(5) == 0 ? "hot" : $"k{random.Next(5_000)}"), 1, 0);
        }

        HotKey first = sampler.Hottest()[0];
        Assert.Equal("hot", Encoding.UTF8.GetString(first.Key));
        Assert.InRange(first.Share, 0.18, 0.22 + (1.0 / 128));
        Assert.True(sampler.Hottest().Count <= CallSampler.MaxReported);
    }

    [Fact]
    public void Old_calls_disappear_from_hottest_and_slowest_keys()
    {
        ManualTime time = new();
        using CallSampler sampler = new(time);
        sampler.Take("cache", "Get", Get("old"), 1, 1);
        Assert.NotEmpty(sampler.Hottest());
        Assert.NotEmpty(sampler.Slowest());
        time.Advance(TimeSpan.FromSeconds(11));
        sampler.Take("cache", "Get", Get("new"), 1, 0);
        Assert.Equal(2, sampler.Hottest().Count);
        time.Advance(TimeSpan.FromSeconds(11));
        Assert.Equal("new", Encoding.UTF8.GetString(Assert.Single(sampler.Hottest()).Key));
        time.Advance(TimeSpan.FromSeconds(25));
        Assert.Empty(sampler.Hottest());
        Assert.Empty(sampler.Slowest());
    }

    [Fact]
    public void SlowKeyTable_keeps_slowest_call_of_each_key()
    {
        SlowKeyTable present = new(3);
        for (int us = 1; us <= 10; us++)
        {
            present.Add("cache", us % 2 == 0 ? "Get" : "Set", Encoding.UTF8.GetBytes($"k{us % 5}"), TimeSpan.FromMicroseconds(us));
        }

        IReadOnlyList<SlowKey> told = SlowKeyTable.Merge((present, new SlowKeyTable(3)), 10);
        Assert.Equal(["k0 Get 10", "k4 Set 9", "k3 Get 8"], told.Select(key => $"{Encoding.UTF8.GetString(key.Key)} {key.Call} {key.TookUs}"));
    }

    [Fact]
    public void Hottest_distinguishes_truncated_keys_by_length()
    {
        using CallSampler sampler = new(new ManualTime());
        sampler.Take("cache", "Get", Get(new string('a', 5_000)), 1, 0);
        sampler.Take("cache", "Get", Get(new string('a', 6_000)), 2, 0);
        Assert.Equal([6_000, 5_000], sampler.Hottest().Select(key => key.KeyBytes));
        Assert.All(sampler.Hottest(), key => Assert.Equal(SampledKey.KeptBytes, key.Key.Length));
    }

    [Fact]
    public void CallSampler_uses_first_key_of_batch_and_ignores_keyless_calls()
    {
        using CallSampler sampler = new(new ManualTime());
        SetBatchRequest batch = new();
        batch.Items.Add(new SetRequest { Key = ByteString.CopyFromUtf8("first"), Value = ByteString.CopyFromUtf8("v"), TtlMs = 1 });
        sampler.Take("cache", "SetBatch", batch.ToByteArray(), 1, 0);
        sampler.Take("cache", "Get", [], 1, 0);
        sampler.Take("cache", "Get", [0x0a, 0x7f, 1], 1, 0);
        Assert.Equal("first", Encoding.UTF8.GetString(Assert.Single(sampler.Hottest()).Key));
    }

    // Makes calls that are distributed over the pipelines in turn. The clock advances in steps of one millisecond.
    private static (long Sampled, long Weights) Offer(CallSampler sampler, ManualTime time, SampleGap[] gaps, int callsPerSecond, int seconds)
    {
        byte[] request = Get("k");
        (long sampled, long weights) = (0, 0);
        int next = 0;
        for (int step = 0; step < 1_000 * seconds; step++)
        {
            int until = (int)((long)callsPerSecond * (step + 1) / 1_000);
            for (int call = (int)((long)callsPerSecond * step / 1_000); call < until; call++)
            {
                ref SampleGap gap = ref gaps[next++ % gaps.Length];
                if (gap.IsDue(sampler))
                {
                    sampled++;
                    weights += gap.Weight;
                    sampler.Take("cache", "Get", request, gap.Weight, 0);
                }
            }

            time.AdvanceMs(1);
        }

        return (sampled, weights);
    }

    private static byte[] Get(string key) => new GetRequest { Key = ByteString.CopyFromUtf8(key) }.ToByteArray();
}
