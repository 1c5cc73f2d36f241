using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal readonly struct IncrementOperation(CacheBytes key, long amount, ulong ttlMs, bool keepTtl = false) : IOperation<IncrementOperation, IncrementResponse>
{
    private const int KeepTtlField = 64;

    private readonly CacheBytes _key = key;

    public static OperationInfo Info { get; } = OperationInfo.Data("increment", "Increment", 9, isIdempotent: false);

    public int KeyLength => _key.Length;

    public int Measure() =>
        Field.MeasureKey(_key) + ProtoWriter.VarintFieldLength(2, (ulong)amount) + ProtoWriter.VarintFieldLength(Field.Ttl, ttlMs) + (keepTtl ? ProtoWriter.VarintFieldLength(KeepTtlField, 1) : 0);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, Field.Key, _key);
        writer.WriteVarintField(2, (ulong)amount);
        writer.WriteVarintField(Field.Ttl, ttlMs);
        if (keepTtl)
        {
            writer.WriteVarintField(KeepTtlField, 1);
        }
    }

    public static IncrementResponse Decode(ReadOnlySpan<byte> payload) =>
        new IncrementResponse.Success((long)Answer.ReadVarint(payload, 1));

    public static IncrementResponse Fail(CacheError error) => new IncrementResponse.Error(error);
}
