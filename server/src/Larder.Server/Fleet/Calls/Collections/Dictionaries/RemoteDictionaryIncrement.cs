using System.Buffers;
using System.Buffers.Text;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>
/// Runs DictionaryIncrement as HINCRBY in a script. The script returns the new value as text, because numbers in Lua are doubles and cannot represent every
/// 64-bit integer.
/// </summary>
internal sealed class RemoteDictionaryIncrement() : RemoteCall(isIdempotent: false)
{
    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        CallError? error = ElementIncrement.Decode(request, command.Target.Rules, DictionaryIncrementCall.ValueBytes, out ElementIncrement fields)
            ?? (fields.Element.IsEmpty ? CollectionErrors.EmptyField : null);
        if (error is null)
        {
            command.Begin(CollectionScripts.DictionaryIncrement, fields.Name, 4);
            command.Add(fields.Element);
            command.Add(fields.Amount);
            command.Add(fields.Ttl.TtlMs);
            command.Add(fields.Ttl.Refresh ? 1 : 0);
        }

        return error;
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        if (!Utf8Parser.TryParse(reply.Bytes, out long value, out _))
        {
            return FleetErrors.Unexpected;
        }

        response.WriteVarint(1, (ulong)value);
        return null;
    }
}
