using Larder.Harness.Agents;
using Larder.Lab.Adaptive;
using Larder.Lab.Known;
using Larder.Tuner.Processes;

namespace Larder.Lab.Tests.Known;

public sealed class AnalyticServerTests
{
    [Fact]
    public async Task Calls_finish_in_arrival_order_without_loss()
    {
        using var work = new AnalyticWork(1, TimeSpan.FromMilliseconds(1));
        Task[] calls = Enumerable.Range(0, 20).Select(_ => work.TryDo()!).ToArray();
        await calls[^1];
        Assert.All(calls, call => Assert.True(call.IsCompletedSuccessfully));
    }

    [Fact]
    public async Task Dispose_completes_pending_calls()
    {
        var work = new AnalyticWork(1, TimeSpan.FromHours(1));
        Task[] calls = new[] { work.TryDo()!, work.TryDo()! };
        Assert.All(calls, call => Assert.False(call.IsCompleted));
        work.Dispose();
        await Task.WhenAll(calls);
    }

    [Theory]
    [InlineData(7)]
    [InlineData(null)]
    public async Task Client_is_measured_with_fixed_and_adaptive_cap(int? cap)
    {
        var options = new AdaptiveOptions { Client = "dotnet", Part = "steady", TargetMs = 40, Parallelism = 10, ServiceMs = 10, Rounds = 1, Seconds = 0.3 };
        await using var server = AnalyticServer.Start(options.Parallelism, TimeSpan.FromMilliseconds(options.ServiceMs));
        await using AgentProcess agent = await AgentProcess.StartAsync(Agents.OfClient(options.Client));
        CapFigure figure = await new CappedClient(options, server, agent).MeasureAsync(cap, 0, options.Seconds);
        Assert.Equal((cap ?? 0, 0), (figure.Cap ?? 0, figure.Failures));
        Assert.InRange(figure.LimitAtEnd, cap ?? 1, cap ?? options.Callers);
        // No call can be faster than the service time. Far more callers would be needed to show that the measurement excludes the wait for the concurrency
        // limit.
        Assert.InRange(figure.P50Ms!.Value, options.ServiceMs * 0.999, 30_000);
    }
}
