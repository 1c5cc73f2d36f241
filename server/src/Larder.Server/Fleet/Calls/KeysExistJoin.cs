using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Wire.Protobuf;

namespace Larder.Server.Fleet;

/// <summary>Runs the parts of a keys-exist call. The result contains a boolean for each key, in the order of the request.</summary>
internal sealed class KeysExistJoin : RemoteJoin
{
    // The number of the field KeysExistResponse.exists. The field is packed and contains one byte per key.
    private const int Exists = 1;

    private readonly byte[] _exist;
    private int _position;

    /// <param name="whole">The call, whose request must already be checked and stored.</param>
    public KeysExistJoin(RemoteCommand whole)
        : base(whole)
    {
        KeysExistCall.CountKeys(whole.Request.Span, out int count);
        _exist = count == 0 ? [] : new byte[count];
    }

    public override int AnswerBytes => _exist.Length;

    protected override bool BeginNext(RemoteCommand part)
    {
        if (!BatchItems.TryNext(Whole.Request.Span, ref _position, out ReadOnlySpan<byte> key))
        {
            return false;
        }

        part.Begin("EXISTS"u8, key);
        return true;
    }

    protected override void Take(int index, ref RespReader reply) => _exist[index] = (byte)reply.Integer;

    protected override CallError? Write(IBufferWriter<byte> response)
    {
        if (_exist.Length > 0)
        {
            int length = ProtoWriter.BytesFieldLength(Exists, _exist.Length);
            ProtoWriter writer = new(response.GetSpan(length));
            writer.WriteBytesField(Exists, _exist);
            response.Advance(length);
        }

        return null;
    }
}
