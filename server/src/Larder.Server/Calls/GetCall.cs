using System.Buffers;
using Larder.Store;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>Get: returns the value of a key, or a miss.</summary>
internal static class GetCall
{
    /// <summary>Gets the encoded message GetResponse{result = Miss}.</summary>
    public static ReadOnlySpan<byte> Miss => [0x08, 0x03];

    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        if (KeyRequest.Decode(request, out ReadOnlySpan<byte> key) is { } error)
        {
            return error;
        }

        HitSink hit = new(response);
        GetOutcome outcome = target.Cache.Get(key, ref hit);
        if (outcome == GetOutcome.Miss)
        {
            response.WriteMessage(Miss);
        }

        return outcome == GetOutcome.WrongType ? CallError.WrongType : null;
    }

    /// <summary>Returns the size in bytes of GetResponse{result = Hit, value}.</summary>
    public static int MeasureHit(int valueLength) => 2 + (valueLength == 0 ? 0 : ProtoWriter.BytesFieldLength(2, valueLength));

    /// <summary>Writes GetResponse{result = Hit, value}.</summary>
    public static void WriteHit(ref ProtoWriter writer, ReadOnlySpan<byte> value)
    {
        writer.WriteVarintField(1, 2);
        if (!value.IsEmpty)
        {
            writer.WriteBytesField(2, value);
        }
    }

    private readonly struct HitSink(IBufferWriter<byte> response) : IValueSink
    {
        public void Accept(ReadOnlySpan<byte> value)
        {
            int length = MeasureHit(value.Length);
            ProtoWriter writer = new(response.GetSpan(length));
            WriteHit(ref writer, value);
            response.Advance(length);
        }
    }
}
