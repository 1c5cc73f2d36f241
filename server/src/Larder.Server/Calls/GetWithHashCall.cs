using System.Buffers;
using Larder.Store;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>GetWithHash: returns a value and its hash. A later SetIfHash compares this hash with the hash of the current value.</summary>
internal static class GetWithHashCall
{
    private const int Found = 1;

    /// <summary>The number of the field GetWithHashResponse.missing.</summary>
    public const int Missing = 2;

    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        if (KeyRequest.Decode(request, out ReadOnlySpan<byte> key) is { } error)
        {
            return error;
        }

        FoundSink found = new(response, target.MaxAnswerBytes);
        GetOutcome outcome = target.Cache.Get(key, ref found);
        if (found.IsDeferred)
        {
            target.Cache.RevertHit();
        }
        else if (outcome == GetOutcome.Miss)
        {
            response.WriteEmptyArm(Missing);
        }

        return outcome == GetOutcome.WrongType ? CallError.WrongType
            : found.IsOverLimit ? CallError.UseUnary
            : found.IsDeferred ? CallError.Deferred
            : null;
    }

    /// <summary>Returns the size in bytes of GetWithHashResponse{found}.</summary>
    public static int MeasureFound(int valueLength, int hashLength) =>
        ProtoWriter.BytesFieldLength(Found, MeasureInner(valueLength, hashLength));

    /// <summary>Writes GetWithHashResponse{found}.</summary>
    public static void WriteFound(IBufferWriter<byte> response, ReadOnlySpan<byte> value)
    {
        int inner = MeasureInner(value.Length, Cache.ValueHashBytes);
        int length = MeasureFound(value.Length, Cache.ValueHashBytes);
        // Reserve the buffer before hashing. If a large value has to wait for buffer space, the call is repeated, and the expensive hash would be computed
        // again.
        ProtoWriter writer = new(response.GetSpan(length));
        Span<byte> hash = stackalloc byte[Cache.ValueHashBytes];
        Cache.HashValue(value, hash);
        writer.WriteLengthPrefix(Found, inner);
        writer.WriteBytesField(1, value);
        writer.WriteBytesField(2, hash);
        response.Advance(length);
    }

    private static int MeasureInner(int valueLength, int hashLength) =>
        ProtoWriter.BytesFieldLength(1, valueLength) + ProtoWriter.BytesFieldLength(2, hashLength);

    private struct FoundSink(IBufferWriter<byte> response, int maxValueBytes) : IValueSink
    {
        public bool IsOverLimit { get; private set; }

        public bool IsDeferred { get; private set; }

        public void Accept(ReadOnlySpan<byte> value)
        {
            IsOverLimit = value.Length > maxValueBytes;
            IsDeferred = !IsOverLimit && CallPace.Defers(CallCost.ToHash(value.Length));
            if (IsOverLimit || IsDeferred)
            {
                return;
            }

            WriteFound(response, value);
        }
    }
}
