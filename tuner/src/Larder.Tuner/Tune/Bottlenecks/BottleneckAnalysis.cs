using Larder.Report.Runs;
using static Larder.Report.InvariantText;

namespace Larder.Tuner.Tune.Bottlenecks;

/// <summary>Determines the bottleneck of a step from its measurements: the resource that is exhausted, or on which the calls wait.</summary>
internal static class BottleneckAnalysis
{
    /// <summary>
    /// The utilisation above which one processor, or all processors together, count as saturated. It is below 1, because client and server sometimes wait for
    /// each other.
    /// </summary>
    private const double Busy = 0.85;

    /// <summary>The utilisation below which processors count as idle. At a higher utilisation, waiting times may be caused by queues for a processor.</summary>
    private const double Idle = 0.6;

    /// <summary>
    /// The minimum fraction of its time that a call must spend in one place for this place to count as the bottleneck. The places are the server, the network
    /// and the scheduler of the client.
    /// </summary>
    private const double MajorityShare = 0.5;

    /// <summary>The fraction of failed calls above which errors count as the bottleneck.</summary>
    private const double TooManyErrors = 0.01;

    /// <summary>The scheduling lag in µs below which the lag is harmless, regardless of the latency.</summary>
    private const double HarmlessLagUs = 1_000;

    /// <summary>Returns the bottleneck of a step.</summary>
    public static StepVerdict Of(ResourceUse step)
    {
        double all = step.ClientCpu + (step.ServerCpu ?? 0) + step.OwnCpu;
        return step switch
        {
            { ErrorShare: > TooManyErrors } => new(StepLimit.Errors, Say($"{step.ErrorShare:P1} of the calls failed, mostly with {step.CommonestError}")),
            { Noisy: true } => new(StepLimit.Noise, Say(
                $"other programs used {step.OthersCpu ?? 0:F2} processors at the same time, so the step is unreliable")),
            { OneThread: true, ClientCpu: > Busy } => new(StepLimit.ClientCpu, Say($"the client's single thread is busy: {step.ClientCpu:F2} of 1 processor")),
            { ServerCpu: { } server } when server > Busy * step.Processors => new(
                StepLimit.ServerCpu,
                Say($"the server uses {server:F2} of {step.Processors} processors")),
            _ when step.ClientCpu > Busy * step.Processors => new(
                StepLimit.ClientCpu,
                Say($"the client uses {step.ClientCpu:F2} of {step.Processors} processors")),
            _ when all > Busy * step.Processors => new(StepLimit.MachineCpu, Shares(step, all)),
            { OneStreamPerCall: true, Connections: { } connections } when step.InFlight >= connections * ResourceUse.StreamsPerConnection =>
                new(StepLimit.StreamLimit, Say($"{connections} connections carry at most {connections * ResourceUse.StreamsPerConnection} concurrent calls")),
            { LagP99Us: > HarmlessLagUs } when step.LagP99Us > MajorityShare * step.P99Us =>
                new(StepLimit.ClientScheduler, Say($"the client's scheduler runs ready tasks {step.LagP99Us / 1000:F1} ms late (p99)")),
            _ => OfWaiting(step),
        };
    }

    /// <summary>Formats the CPU usage of client, server and tuner, which share this machine, and its sum.</summary>
    private static string Shares(ResourceUse step, double all) =>
        Say(
            $"client {step.ClientCpu:F2} + server {step.ServerCpu ?? 0:F2}{(step.OwnCpu >= 0.05 ? Say($" + tuner {step.OwnCpu:F2}") : "")} = {all:F2} of ",
            $"{step.Processors} processors");

    /// <summary>
    /// Determines the bottleneck if no processor is saturated. The part of a call's time that is neither server time nor CPU time is network time.
    /// </summary>
    private static StepVerdict OfWaiting(ResourceUse step)
    {
        if (step.ServerP50Us is { } server && server > MajorityShare * step.P50Us)
        {
            return new(StepLimit.ServerTime, Say($"a call spends {server:N0} of {step.P50Us:N0} µs (p50) in the server while processors are idle"));
        }

        double used = step.ClientCpu + (step.ServerCpu ?? 0) + step.OwnCpu;
        double work = used / Math.Max(1, step.RequestsPerSecond) * 1e6;
        double way = step.P50Us - (step.ServerP50Us ?? 0) - work;
        if (way <= MajorityShare * step.P50Us)
        {
            return new(
                StepLimit.Callers,
                Say(
                    $"no resource is exhausted ({work:N0} µs of processor time per call): ",
                    $"more than {step.InFlight} calls in flight would increase the throughput"));
        }

        return used < Idle * step.Processors && (!step.OneThread || step.ClientCpu < Idle)
            ? new(
                StepLimit.Network,
                Say(
                    $"a call spends {way:N0} of {step.P50Us:N0} µs (p50) in transit",
                    $"{(step.ServerP50Us is null ? " or in the server, whose time is not known" : "")}, with {used:F2} of {step.Processors} processors used"))
            : new(StepLimit.Unknown, Say($"{Shares(step, used)}: busy but not exhausted; calls wait in bursts"));
    }
}
