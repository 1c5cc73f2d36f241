using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Wire.Protobuf;

namespace Larder.Server.Fleet;

/// <summary>
/// Reads some items of a streamed get-batch before the client has received the earlier items. Reads as many items as fit into
/// <see cref="FleetLimits.ReadAheadBytes"/>, but at least one. A value that does not fit is dropped; it is read again when the client has received the earlier
/// values (BATCH-8).
/// </summary>
/// <param name="whole">The remaining part of the batch, beginning with the first item to read.</param>
/// <param name="maxItems">The maximum number of items to read.</param>
internal sealed class GetBatchWindow(RemoteCommand whole, int maxItems) : RemoteJoin(whole), IDisposable
{
    private readonly PartValues _values = new();
    private readonly List<int> _ends = [];
    private int _position;
    private int _bytes;

    /// <summary>Gets the number of consecutive items, counted from the first item, whose results are available.</summary>
    public int Taken
    {
        get
        {
            int taken = 0;
            while (taken < _ends.Count && _values.Has(taken))
            {
                taken++;
            }

            return taken;
        }
    }

    /// <summary>Returns the offset at which an item ends in the encoded batch.</summary>
    public int EndOf(int index) => _ends[index];

    /// <summary>Writes one GetResponse.</summary>
    /// <param name="index">The item's index, below <see cref="Taken"/>.</param>
    /// <param name="response">Receives the response.</param>
    public void WriteOne(int index, IBufferWriter<byte> response)
    {
        if (!_values.TryGet(index, out ReadOnlySpan<byte> value))
        {
            response.WriteMessage(GetCall.Miss);
            return;
        }

        int length = GetCall.MeasureHit(value.Length);
        ProtoWriter writer = new(response.GetSpan(length));
        GetCall.WriteHit(ref writer, value);
        response.Advance(length);
    }

    public void Dispose() => _values.LetGo();

    protected override bool BeginNext(RemoteCommand part)
    {
        if (_ends.Count == maxItems || !BatchItems.TryNext(Whole.Request.Span, ref _position, out ReadOnlySpan<byte> item))
        {
            return false;
        }

        _ends.Add(_position);
        KeyRequest.Decode(item, out ReadOnlySpan<byte> key);
        part.Begin("GET"u8, key);
        return true;
    }

    protected override void Take(int index, ref RespReader reply)
    {
        if (reply.IsNull)
        {
            _values.AddMissing(index);
        }
        else if (index == 0 || _bytes + reply.Bytes.Length <= FleetLimits.ReadAheadBytes)
        {
            _bytes += reply.Bytes.Length;
            _values.Add(index, reply.Bytes);
        }
    }

    protected override CallError? Write(IBufferWriter<byte> response) =>
        throw new NotSupportedException("This call writes its items one at a time and has no single response.");
}
