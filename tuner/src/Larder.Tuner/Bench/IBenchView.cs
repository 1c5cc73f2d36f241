using System.Text.Json.Nodes;

namespace Larder.Tuner.Bench;

/// <summary>Where a sweep shows itself while it runs.</summary>
internal interface IBenchView
{
    /// <summary>A second of a round has passed; <paramref name="step"/> says which round it is.</summary>
    void OnProgress(string step, JsonObject progress);

    /// <summary>A round was rejected.</summary>
    void OnRejected(string step, double othersCpu);

    /// <summary>A rung of a client is done.</summary>
    void OnRow(BenchRow row);

    /// <summary>The sweep was interrupted. For any thread.</summary>
    void OnInterrupted(IReadOnlyList<BenchRow> finished, IReadOnlyList<BenchRow> underWay);
}
