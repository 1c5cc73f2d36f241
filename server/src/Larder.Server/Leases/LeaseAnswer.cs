using System.Buffers;
using Larder.Server.Calls;
using Larder.Store;
using Larder.Wire.Protobuf;

namespace Larder.Server.Leases;

/// <summary>
/// Writes the responses of GetOrLease (<c>GetOrLeaseResponse</c>). Each method requests one span for the whole response before it writes anything, because a
/// large response may have to wait for buffer space in its connection.
/// </summary>
internal static class LeaseAnswer
{
    private const int HitArm = 1;
    private const int StaleArm = 2;
    private const int LeaseArm = 3;
    private const int ElsewhereArm = 4;
    private const int Value = 1;
    private const int ExpiredMs = 2;
    private const int Token = 3;
    private const int Validator = 4;

    /// <summary>Writes the response that grants the lease to the caller.</summary>
    public static void WriteLease(IBufferWriter<byte> response, ReadOnlySpan<byte> token) => response.WriteBytesArm(LeaseArm, token);

    /// <summary>Writes the response that another caller has the lease.</summary>
    public static void WriteElsewhere(IBufferWriter<byte> response) => response.WriteEmptyArm(ElsewhereArm);

    private static int Measure(int field, int bytes) => bytes == 0 ? 0 : ProtoWriter.BytesFieldLength(field, bytes);

    /// <summary>Writes the response with a value that was found.</summary>
    public readonly struct Hit(IBufferWriter<byte> response) : IValueSink
    {
        public void Accept(ReadOnlySpan<byte> value)
        {
            if (value.IsEmpty)
            {
                response.WriteEmptyArm(HitArm);
            }
            else
            {
                response.WriteBytesArm(HitArm, value);
            }
        }
    }

    /// <summary>Writes the response with a stale value.</summary>
    /// <param name="response">The output.</param>
    /// <param name="token">The lease token; empty if another caller has the lease.</param>
    public readonly struct Stale(IBufferWriter<byte> response, ReadOnlyMemory<byte> token) : IStaleSink
    {
        public void Accept(ReadOnlySpan<byte> value, long expiredMs, ReadOnlySpan<byte> validator)
        {
            int inner = Measure(Value, value.Length)
                + (expiredMs == 0 ? 0 : ProtoWriter.VarintFieldLength(ExpiredMs, (ulong)expiredMs))
                + Measure(Token, token.Length)
                + Measure(Validator, validator.Length);
            int length = ProtoWriter.BytesFieldLength(StaleArm, inner);
            ProtoWriter writer = new(response.GetSpan(length));
            writer.WriteLengthPrefix(StaleArm, inner);
            if (!value.IsEmpty)
            {
                writer.WriteBytesField(Value, value);
            }

            if (expiredMs != 0)
            {
                writer.WriteVarintField(ExpiredMs, (ulong)expiredMs);
            }

            if (!token.IsEmpty)
            {
                writer.WriteBytesField(Token, token.Span);
            }

            if (!validator.IsEmpty)
            {
                writer.WriteBytesField(Validator, validator);
            }

            response.Advance(length);
        }
    }
}
