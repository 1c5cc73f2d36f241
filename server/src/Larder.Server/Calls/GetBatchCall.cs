using System.Buffers;
using Larder.Store;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>
/// GetBatch in one message: the answers in the order of the items. A bad item fails the whole batch before anything is read; past the bound nothing more is.
/// </summary>
internal static class GetBatchCall
{
    // GetBatchResult.responses
    private const int Responses = 1;

    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        if (Check(request) is { } error)
        {
            return error;
        }

        BoundedHitSink hit = new(response, target.MaxAnswerBytes);
        RepeatedItems items = new(request);
        while (!hit.IsPastBound && items.Next(out ReadOnlySpan<byte> item))
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

        return hit.IsPastBound ? CallError.UseUnary : null;
    }

    /// <summary>Null where every item is a get that may run.</summary>
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

    // Counts before it writes: an answer past the bound is never made.
    private struct BoundedHitSink(IBufferWriter<byte> response, int maxBytes) : IValueSink
    {
        private long _bytes;

        public readonly bool IsPastBound => _bytes > maxBytes;

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
            return !IsPastBound;
        }
    }
}
