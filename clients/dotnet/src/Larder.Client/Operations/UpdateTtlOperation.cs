using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal readonly struct UpdateTtlOperation(CacheBytes key, TtlChange change, ulong ttlMs) : IOperation<UpdateTtlOperation, UpdateTtlResponse>
{
    private readonly CacheBytes _key = key;

    public static OperationInfo Info { get; } = OperationInfo.Data("updateTtl", "UpdateTtl", 11, isIdempotent: false);

    public int KeyLength => _key.Length;

    public int Measure() => Field.MeasureKey(_key) + ProtoWriter.VarintFieldLength((int)change, ttlMs);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, Field.Key, _key);
        writer.WriteVarintField((int)change, ttlMs);
    }

    public static UpdateTtlResponse Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out _) switch
    {
        1 => UpdateTtlResponse.Set.Instance,
        2 => UpdateTtlResponse.NotSet.Instance,
        3 => UpdateTtlResponse.Missing.Instance,
        _ => throw Answer.Unexpected("updateTtl"),
    };

    public static UpdateTtlResponse Fail(CacheError error) => new UpdateTtlResponse.Error(error);
}
