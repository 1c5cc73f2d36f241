using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

/// <summary>KeysExist of one key, without the arrays of many.</summary>
internal readonly struct KeyExistsOperation(CacheBytes key) : IOperation<KeyExistsOperation, KeyExistsResponse>
{
    private readonly CacheBytes _key = key;

    public static OperationInfo Info { get; } = OperationInfo.Data("keyExists", "KeysExist", 8, isIdempotent: true);

    public int KeyLength => _key.Length;

    public int Measure() => Field.MeasureKey(_key);

    public void Write(ref ProtoWriter writer) => Field.Write(ref writer, Field.Key, _key);

    public static KeyExistsResponse Decode(ReadOnlySpan<byte> payload)
    {
        bool[] exists = KeysExistOperation.ReadFlags(payload);
        return exists.Length == 1 ? new KeyExistsResponse.Success(exists[0]) : throw Answer.Unexpected("keyExists");
    }

    public static KeyExistsResponse Fail(CacheError error) => new KeyExistsResponse.Error(error);
}
