using Larder.Report.Runs;
using Larder.Tuner.Tune.Bottlenecks;

namespace Larder.Tuner.Tests.Tune.Bottlenecks;

public sealed class BottleneckAnalysisTests
{
    /// <summary>A call of 1 ms on a nearly idle machine: 50 µs in the server, 40 µs of CPU time.</summary>
    private static readonly ResourceUse s_idle = new()
    {
        InFlight = 10,
        OneThread = false,
        OneStreamPerCall = false,
        Processors = 2,
        RequestsPerSecond = 10_000,
        P50Us = 1_000,
        P99Us = 1_500,
        ClientCpu = 0.2,
        ServerCpu = 0.2,
        ServerP50Us = 50,
        Connections = 1,
    };

    [Fact]
    public void Time_that_nobody_works_is_the_network() => Is(StepLimit.Network, s_idle);

    [Fact]
    public void Time_in_an_idle_server_is_the_servers() => Is(StepLimit.ServerTime, s_idle with { ServerP50Us = 900 });

    [Fact]
    public void Where_a_calls_time_is_work_more_callers_get_more_done() => Is(StepLimit.Callers, s_idle with { P50Us = 90, ServerP50Us = 20 });

    [Fact]
    public void A_client_of_one_thread_is_full_at_one_processor()
    {
        Is(StepLimit.ClientCpu, s_idle with { OneThread = true, ClientCpu = 0.97 });
        Is(StepLimit.Unknown, s_idle with { ClientCpu = 0.97, ServerCpu = 0.5 });
    }

    [Fact]
    public void Client_and_server_share_a_machine()
    {
        Is(StepLimit.MachineCpu, s_idle with { ClientCpu = 1.1, ServerCpu = 0.8 });
        Is(StepLimit.ServerCpu, s_idle with { ServerCpu = 1.9 });
        Is(StepLimit.ClientCpu, s_idle with { ClientCpu = 1.9, ServerCpu = null });
    }

    [Fact]
    public void Unary_calls_end_at_a_hundred_streams_a_connection()
    {
        Is(StepLimit.StreamLimit, s_idle with { OneStreamPerCall = true, InFlight = 100 });
        Is(StepLimit.Network, s_idle with { OneStreamPerCall = true, InFlight = 99 });
        Is(StepLimit.Network, s_idle with { OneStreamPerCall = true, InFlight = 100, Connections = 2 });
    }

    [Fact]
    public void A_scheduler_that_is_late_by_half_of_the_latency_is_named()
    {
        Is(StepLimit.ClientScheduler, s_idle with { P99Us = 4_000, LagP99Us = 2_100 });
        Is(StepLimit.Network, s_idle with { P99Us = 4_000, LagP99Us = 900 });
    }

    [Fact]
    public void Errors_and_noise_come_before_everything_else()
    {
        Is(StepLimit.Errors, s_idle with { ErrorShare = 0.02, CommonestError = "Timeout", Noisy = true });
        Is(StepLimit.Noise, s_idle with { OthersCpu = 0.4, Noisy = true, ClientCpu = 2 });
    }

    private static void Is(StepLimit limit, ResourceUse step) => Assert.Equal(limit, BottleneckAnalysis.Of(step).Limit);
}
