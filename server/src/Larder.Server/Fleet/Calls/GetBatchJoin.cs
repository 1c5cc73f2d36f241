using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Wire.Protobuf;

namespace Larder.Server.Fleet;

/// <summary>
/// Runs the parts of a GetBatch whose response is a single message. Each part is the GET of one item. The results are in the order of the items. When the
/// response exceeds its size limit, no more items are read (PIPE-9).
/// </summary>
/// <param name="whole">The batch, whose request must already be checked and stored.</param>
internal sealed class GetBatchJoin(RemoteCommand whole) : RemoteJoin(whole)
{
    // The number of the field GetBatchResult.responses.
    private const int Responses = 1;

    private readonly PartValues _values = new();
    private int _position;
    private long _bytes;

    protected override bool IsEnough => _bytes > Whole.Target.MaxAnswerBytes;

    protected override bool BeginNext(RemoteCommand part)
    {
        if (!BatchItems.TryNext(Whole.Request.Span, ref _position, out ReadOnlySpan<byte> item))
        {
            return false;
        }

        KeyRequest.Decode(item, out ReadOnlySpan<byte> key);
        part.Begin("GET"u8, key);
        return true;
    }

    protected override void Take(int index, ref RespReader reply)
    {
        int inner = reply.IsNull ? GetCall.Miss.Length : GetCall.MeasureHit(reply.Bytes.Length);
        _bytes += ProtoWriter.BytesFieldLength(Responses, inner);
        if (IsEnough)
        {
            return;
        }

        if (reply.IsNull)
        {
            _values.AddMissing(index);
        }
        else
        {
            _values.Add(index, reply.Bytes);
        }
    }

    protected override CallError? Write(IBufferWriter<byte> response)
    {
        for (int index = 0; !IsEnough && index < _values.Count; index++)
        {
            bool isHit = _values.TryGet(index, out ReadOnlySpan<byte> value);
            int inner = isHit ? GetCall.MeasureHit(value.Length) : GetCall.Miss.Length;
            int length = ProtoWriter.BytesFieldLength(Responses, inner);
            ProtoWriter writer = new(response.GetSpan(length));
            writer.WriteLengthPrefix(Responses, inner);
            if (isHit)
            {
                GetCall.WriteHit(ref writer, value);
            }
            else
            {
                GetCall.Miss.CopyTo(writer.Reserve(inner));
            }

            response.Advance(length);
        }

        _values.LetGo();
        return IsEnough ? CallError.UseUnary : null;
    }
}
