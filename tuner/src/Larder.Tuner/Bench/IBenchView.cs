using System.Text.Json.Nodes;

namespace Larder.Tuner.Bench;

internal interface IBenchView
{
    /// <summary>Called for each second of a round. <paramref name="step"/> describes the round.</summary>
    void OnProgress(string step, JsonObject progress);

    /// <summary>Called when a round is rejected.</summary>
    void OnRejected(string step, double othersCpu);

    /// <summary>Called when a rung of a client is complete.</summary>
    void OnRow(BenchRow row);

    /// <summary>Called when the sweep is interrupted. The call may come from any thread.</summary>
    void OnInterrupted(IReadOnlyList<BenchRow> finished, IReadOnlyList<BenchRow> underWay);
}
