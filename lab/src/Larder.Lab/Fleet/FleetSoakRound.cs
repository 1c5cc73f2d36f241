using static Larder.Report.InvariantText;

namespace Larder.Lab.Fleet;

/// <summary>One minute of a soak: how long each of its faults took.</summary>
/// <param name="Promoted">From the master's kill until its replica was a master.</param>
/// <param name="WorkedAgain">From the kill until calls to its slots were answered.</param>
/// <param name="Resharded">Moving the slots.</param>
/// <param name="FrontBack">From the front's kill until it had found the cluster again.</param>
internal sealed record FleetSoakRound(TimeSpan Promoted, TimeSpan WorkedAgain, TimeSpan Resharded, TimeSpan FrontBack)
{
    public override string ToString() =>
        Say($"promoted after {Promoted.TotalSeconds:N2} s, worked again after {WorkedAgain.TotalSeconds:N2} s; ")
            + Say($"resharded in {Resharded.TotalSeconds:N2} s; the front was back after {FrontBack.TotalSeconds:N2} s");
}
