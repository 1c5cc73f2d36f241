using Larder.Report.Runs;
using Larder.Tuner.Tune.Bottlenecks;

namespace Larder.Tuner.Tests.Tune.Bottlenecks;

public sealed class BottleneckAnalysisTests
{
    /// <summary>The resource use of a call of 1 ms on a nearly idle machine: 50 µs in the server, 40 µs of CPU time.</summary>
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
    public void Idle_time_of_call_is_attributed_to_network() => Is(StepLimit.Network, s_idle);

    [Fact]
    public void Server_latency_without_CPU_load_is_attributed_to_server() => Is(StepLimit.ServerTime, s_idle with { ServerP50Us = 900 });

    [Fact]
    public void Calls_with_little_network_time_are_limited_by_caller_count() => Is(StepLimit.Callers, s_idle with { P50Us = 90, ServerP50Us = 20 });

    [Fact]
    public void Single_threaded_client_is_limited_at_one_processor()
    {
        Is(StepLimit.ClientCpu, s_idle with { OneThread = true, ClientCpu = 0.97 });
        Is(StepLimit.Unknown, s_idle with { ClientCpu = 0.97, ServerCpu = 0.5 });
    }

    [Fact]
    public void Client_and_server_on_one_machine_share_CPU_limit()
    {
        Is(StepLimit.MachineCpu, s_idle with { ClientCpu = 1.1, ServerCpu = 0.8 });
        Is(StepLimit.ServerCpu, s_idle with { ServerCpu = 1.9 });
        Is(StepLimit.ClientCpu, s_idle with { ClientCpu = 1.9, ServerCpu = null });
    }

    [Fact]
    public void Unary_calls_are_limited_by_100_streams_per_connection()
    {
        Is(StepLimit.StreamLimit, s_idle with { OneStreamPerCall = true, InFlight = 100 });
        Is(StepLimit.Network, s_idle with { OneStreamPerCall = true, InFlight = 99 });
        Is(StepLimit.Network, s_idle with { OneStreamPerCall = true, InFlight = 100, Connections = 2 });
    }

    [Fact]
    public void Scheduler_lag_above_half_of_latency_is_reported()
    {
        Is(StepLimit.ClientScheduler, s_idle with { P99Us = 4_000, LagP99Us = 2_100 });
        Is(StepLimit.Network, s_idle with { P99Us = 4_000, LagP99Us = 900 });
    }

    [Fact]
    public void Errors_and_noise_take_precedence_over_other_limits()
    {
        Is(StepLimit.Errors, s_idle with { ErrorShare = 0.02, CommonestError = "Timeout", Noisy = true });
        Is(StepLimit.Noise, s_idle with { OthersCpu = 0.4, Noisy = true, ClientCpu = 2 });
    }

    private static void Is(StepLimit limit, ResourceUse step) => Assert.Equal(limit, BottleneckAnalysis.Of(step).Limit);
}
