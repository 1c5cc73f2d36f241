namespace Larder.Lab.Near;

/// <summary>What is done to a run at a time.</summary>
/// <param name="At">Since the callers began.</param>
/// <param name="Kind">What.</param>
/// <param name="Length">For how long, where it has a length.</param>
/// <param name="Server">To which server, by its place, where it is one's.</param>
internal sealed record NearFault(TimeSpan At, NearFaultKind Kind, TimeSpan Length = default, int Server = 0)
{
    /// <summary>The faults of a whole run of so many seconds on one server, which forgets when it is started anew: after that, misses say nothing.</summary>
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

    /// <summary>The same of a fleet's two fronts.</summary>
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
