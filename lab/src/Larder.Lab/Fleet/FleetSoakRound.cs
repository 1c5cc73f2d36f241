using static Larder.Report.InvariantText;

namespace Larder.Lab.Fleet;

/// <summary>One minute of a soak, with the duration of each fault.</summary>
/// <param name="Promoted">The time from the kill of the master until its replica was promoted.</param>
/// <param name="WorkedAgain">The time from the kill until calls to the slots of the master succeeded again.</param>
/// <param name="Resharded">The time for moving the slots.</param>
/// <param name="GatewayBack">The time from the kill of the gateway until it was connected to the cluster again.</param>
internal sealed record FleetSoakRound(TimeSpan Promoted, TimeSpan WorkedAgain, TimeSpan Resharded, TimeSpan GatewayBack)
{
    public override string ToString() =>
        Say($"replica promoted after {Promoted.TotalSeconds:N2} s, calls to the affected slots succeeded after {WorkedAgain.TotalSeconds:N2} s; ")
            + Say($"slots moved in {Resharded.TotalSeconds:N2} s; gateway reconnected after {GatewayBack.TotalSeconds:N2} s");
}
