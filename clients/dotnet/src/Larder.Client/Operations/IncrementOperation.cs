using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal readonly struct IncrementOperation(CacheBytes key, long amount, ulong ttlMs) : IOperation<IncrementOperation, IncrementResponse>
{
    private readonly CacheBytes _key = key;

    public static OperationInfo Info { get; } = OperationInfo.Data("increment", "Increment", 9, isIdempotent: false);

    public int KeyLength => _key.Length;

    public int Measure() =>
        Field.MeasureKey(_key) + ProtoWriter.VarintFieldLength(2, (ulong)amount) + ProtoWriter.VarintFieldLength(Field.Ttl, ttlMs);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, Field.Key, _key);
        writer.WriteVarintField(2, (ulong)amount);
        writer.WriteVarintField(Field.Ttl, ttlMs);
    }

    public static IncrementResponse Decode(ReadOnlySpan<byte> payload) =>
        new IncrementResponse.Success((long)Answer.ReadVarint(payload, 1));

    public static IncrementResponse Fail(CacheError error) => new IncrementResponse.Error(error);
}
