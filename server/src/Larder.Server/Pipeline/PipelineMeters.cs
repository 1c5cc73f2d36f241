using Larder.Server.Metrics;
using Larder.Wire;

namespace Larder.Server.Pipeline;

/// <summary>
/// Counts the calls of one stream's turn and records them together when their answers leave: one clock reading a turn, not two a call.
/// </summary>
internal sealed class PipelineMeters
{
    private readonly RpcMeter?[] _meters = new RpcMeter?[PipelineCalls.FieldCount];
    private readonly int[] _succeeded = new int[PipelineCalls.FieldCount];

    public PipelineMeters(ServerMetrics metrics)
    {
        for (int field = 0; field < _meters.Length; field++)
        {
            if (PipelineCalls.Find(field) is { } call)
            {
                _meters[field] = metrics.Pipelined[call.Name];
            }
        }
    }

    /// <summary>Counts a call that succeeded in this turn.</summary>
    public void Succeeded(int field) => _succeeded[field]++;

    /// <summary>Records a call that failed.</summary>
    public void Failed(int field, StatusCode status, TimeSpan elapsed)
    {
        if ((uint)field < (uint)_meters.Length)
        {
            _meters[field]?.Record(status, elapsed);
        }
    }

    /// <summary>Records this turn's successes, each as having taken the whole turn.</summary>
    public void EndTurn(TimeSpan elapsed)
    {
        for (int field = 0; field < _succeeded.Length; field++)
        {
            if (_succeeded[field] != 0)
            {
                _meters[field]!.Record(StatusCode.Ok, elapsed, _succeeded[field]);
                _succeeded[field] = 0;
            }
        }
    }
}
