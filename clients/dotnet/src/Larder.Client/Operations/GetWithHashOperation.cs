using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal readonly struct GetWithHashOperation(CacheBytes key) : IOperation<GetWithHashOperation, GetWithHashResponse>
{
    private readonly CacheBytes _key = key;

    public static OperationInfo Info { get; } = OperationInfo.Data("getWithHash", "GetWithHash", 16, isIdempotent: true);

    public int KeyLength => _key.Length;

    public int Measure() => Field.MeasureKey(_key);

    public void Write(ref ProtoWriter writer) => Field.Write(ref writer, Field.Key, _key);

    public static GetWithHashResponse Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => new GetWithHashResponse.Hit(Answer.ReadBytes(content, 1).ToArray(), Answer.ReadBytes(content, 2).ToArray()),
        2 => GetWithHashResponse.Miss.Instance,
        _ => throw Answer.Unexpected("getWithHash"),
    };

    public static GetWithHashResponse Fail(CacheError error) => new GetWithHashResponse.Error(error);
}
