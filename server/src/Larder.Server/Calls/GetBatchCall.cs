using System.Buffers;
using Larder.Store;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>
/// GetBatch: returns all values in one response message. The results are in the order of the items. If an item is invalid, the whole batch fails before
/// anything is read. Reading stops when the size limit is exceeded.
/// </summary>
internal static class GetBatchCall
{
    // The field GetBatchResult.responses.
    private const int Responses = 1;

    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        if (Check(request) is { } error)
        {
            return error;
        }

        BoundedHitSink hit = new(response, target.MaxAnswerBytes);
        RepeatedItems items = new(request);
        while (!hit.IsOverLimit && items.Next(out ReadOnlySpan<byte> item))
        {
            KeyRequest.Decode(item, out ReadOnlySpan<byte> key);
            switch (target.Cache.Get(key, ref hit))
            {
                case GetOutcome.Miss:
                    hit.Miss();
                    break;
                case GetOutcome.WrongType:
                    return CallError.WrongType;
                default:
                    break;
            }
        }

        return hit.IsOverLimit ? CallError.UseUnary : null;
    }

    /// <summary>Checks that every item is a valid Get request. Returns null on success.</summary>
    public static CallError? Check(ReadOnlySpan<byte> request)
    {
        RepeatedItems items = new(request);
        while (items.Next(out ReadOnlySpan<byte> item))
        {
            if (KeyRequest.Decode(item, out _) is { } error)
            {
                return error;
            }
        }

        return items.IsMalformed ? CallError.Malformed : null;
    }

    // Counts the bytes before writing, so that a response larger than the limit is never produced.
    private struct BoundedHitSink(IBufferWriter<byte> response, int maxBytes) : IValueSink
    {
        private long _bytes;

        public readonly bool IsOverLimit => _bytes > maxBytes;

        public void Accept(ReadOnlySpan<byte> value)
        {
            int inner = GetCall.MeasureHit(value.Length);
            int length = ProtoWriter.BytesFieldLength(Responses, inner);
            if (Fits(length))
            {
                ProtoWriter writer = new(response.GetSpan(length));
                writer.WriteLengthPrefix(Responses, inner);
                GetCall.WriteHit(ref writer, value);
                response.Advance(length);
            }
        }

        public void Miss()
        {
            int length = ProtoWriter.BytesFieldLength(Responses, GetCall.Miss.Length);
            if (Fits(length))
            {
                ProtoWriter writer = new(response.GetSpan(length));
                writer.WriteBytesField(Responses, GetCall.Miss);
                response.Advance(length);
            }
        }

        private bool Fits(int length)
        {
            _bytes += length;
            return !IsOverLimit;
        }
    }
}
