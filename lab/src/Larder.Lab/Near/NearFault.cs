namespace Larder.Lab.Near;

/// <summary>A fault that is applied during a run.</summary>
/// <param name="At">The time since the callers started.</param>
/// <param name="Kind">The kind of fault.</param>
/// <param name="Length">The duration of the fault, if it has one.</param>
/// <param name="Server">The index of the server, if the fault affects one server.</param>
internal sealed record NearFault(TimeSpan At, NearFaultKind Kind, TimeSpan Length = default, int Server = 0)
{
    /// <summary>
    /// Gets the faults of a full run on one server. Times are in seconds since the start. The server loses its items when it is restarted, so later misses are
    /// allowed.
    /// </summary>
    public static IReadOnlyList<NearFault> OnMemory { get; } =
    [
        Of(10, NearFaultKind.CutReaders, 10),
        Of(25, NearFaultKind.StopReaders, 20),
        Of(50, NearFaultKind.Sweep),
        Of(55, NearFaultKind.StopServer, 5),
        Of(65, NearFaultKind.Sweep),
        Of(72, NearFaultKind.Restart),
        Of(85, NearFaultKind.Flush),
        Of(90, NearFaultKind.Sweep),
    ];

    /// <summary>Gets the faults of a full run on the two gateways of a fleet.</summary>
    public static IReadOnlyList<NearFault> OnFleet { get; } =
    [
        Of(10, NearFaultKind.CutReaders, 10),
        Of(25, NearFaultKind.StopReaders, 20),
        Of(50, NearFaultKind.Sweep),
        Of(55, NearFaultKind.Restart),
        Of(65, NearFaultKind.StopServer, 5, server: 1),
        Of(74, NearFaultKind.Restart, server: 1),
        Of(82, NearFaultKind.Sweep),
        Of(88, NearFaultKind.Flush),
        Of(90, NearFaultKind.Flush),
        Of(92, NearFaultKind.Flush),
    ];

    private static NearFault Of(double at, NearFaultKind kind, double length = 0, int server = 0) =>
        new(TimeSpan.FromSeconds(at), kind, TimeSpan.FromSeconds(length), server);
}
