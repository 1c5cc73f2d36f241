using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Runs KeysExist as one EXISTS per key.</summary>
internal sealed class RemoteKeysExist : RemoteJoinedCall
{
    protected override CallError? Check(CallRules rules, ReadOnlySpan<byte> request) => KeysExistCall.CountKeys(request, out _);

    protected override RemoteJoin Join(RemoteCommand command) => new KeysExistJoin(command);
}
