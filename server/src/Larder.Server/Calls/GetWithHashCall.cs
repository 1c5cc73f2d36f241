using System.Buffers;
using Larder.Store;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>GetWithHash: the value and the hash that SetIfHash compares with.</summary>
internal static class GetWithHashCall
{
    private const int Found = 1;
    private const int Missing = 2;

    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        if (KeyRequest.Decode(request, out ReadOnlySpan<byte> key) is { } error)
        {
            return error;
        }

        FoundSink found = new(response);
        if (!target.Cache.TryGet(key, ref found))
        {
            response.WriteEmptyArm(Missing);
        }

        return null;
    }

    private readonly struct FoundSink(IBufferWriter<byte> response) : IValueSink
    {
        public void Accept(ReadOnlySpan<byte> value)
        {
            Span<byte> hash = stackalloc byte[ValueHash.MaxBytes];
            hash = hash[..Cache.HashValue(value, hash)];
            int inner = ProtoWriter.BytesFieldLength(1, value.Length) + ProtoWriter.BytesFieldLength(2, hash.Length);
            int length = ProtoWriter.BytesFieldLength(Found, inner);
            ProtoWriter writer = new(response.GetSpan(length));
            writer.WriteLengthPrefix(Found, inner);
            writer.WriteBytesField(1, value);
            writer.WriteBytesField(2, hash);
            response.Advance(length);
        }
    }
}
