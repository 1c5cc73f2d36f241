using System.Diagnostics;
using System.Numerics;
using Larder.Server.Metrics;
using Larder.Wire;

namespace Larder.Server.Pipeline;

/// <summary>
/// Counts the calls of one turn of a stream. A turn processes the result of one read. The calls are recorded together when their results are sent, so the clock
/// is read once per turn instead of twice per call.
/// </summary>
internal sealed class PipelineMeters
{
    private readonly RpcMeter?[] _meters = new RpcMeter?[PipelineCalls.FieldCount];
    private readonly int[] _succeeded = new int[PipelineCalls.FieldCount];
    private readonly (long Received, long Sent)[] _moved = new (long, long)[PipelineCalls.FieldCount];

    // The field numbers of the calls in this turn, as a bit set.
    private ulong _fields;

    public PipelineMeters(ServerMetrics metrics)
    {
        Debug.Assert(PipelineCalls.FieldCount <= 64, "each field has a bit");
        for (int field = 0; field < _meters.Length; field++)
        {
            if (PipelineCalls.Find(field) is { } call)
            {
                _meters[field] = metrics.Pipelined[call.Name];
            }
        }
    }

    /// <summary>Counts a successful call of this turn.</summary>
    public void Succeeded(int field) => _succeeded[field]++;

    public void Failed(int field, StatusCode status, TimeSpan elapsed)
    {
        if ((uint)field < (uint)_meters.Length)
        {
            _meters[field]?.Record(status, elapsed);
        }
    }

    /// <summary>Adds the bytes of a call of this turn. Unknown fields are ignored.</summary>
    public void Moved(int field, int received, int sent)
    {
        if ((uint)field < (uint)_moved.Length)
        {
            ref (long Received, long Sent) moved = ref _moved[field];
            moved.Received += received;
            moved.Sent += sent;
            _fields |= 1UL << field;
        }
    }

    /// <summary>Records the bytes and the successful calls of this turn. The duration of each call is the duration of the whole turn.</summary>
    public void EndTurn(TimeSpan elapsed)
    {
        for (; _fields != 0; _fields &= _fields - 1)
        {
            int field = BitOperations.TrailingZeroCount(_fields);
            if (_meters[field] is not { } meter)
            {
                continue;
            }

            meter.Moved(_moved[field].Received, _moved[field].Sent);
            _moved[field] = default;
            if (_succeeded[field] != 0)
            {
                meter.Record(StatusCode.Ok, elapsed, _succeeded[field]);
                _succeeded[field] = 0;
            }
        }
    }
}
