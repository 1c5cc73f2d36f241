using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>
/// A write in several steps. The response contains the number from the last step's reply. It reports the collection as found if any step found it.
/// </summary>
internal sealed class WriteSteps : ElementSteps
{
    private readonly IElementsWrite _call;
    private bool _isFound;
    private long _number;

    public WriteSteps(
        RemoteCommand whole,
        IElementsWrite call,
        scoped in ElementsRequest fields,
        ReadOnlySpan<byte> request,
        ElementShape shape,
        bool isBackward)
        : base(whole, call, fields, request, shape, isBackward) => _call = call;

    public WriteSteps(RemoteCommand whole, IElementsWrite call, scoped in ChosenElements fields, ReadOnlySpan<byte> request)
        : base(whole, call, fields, request) => _call = call;

    protected override void Take(int index, ref RespReader reply)
    {
        _isFound |= !reply.IsNull;
        _number = reply.Integer;
    }

    protected override CallError? Write(IBufferWriter<byte> response)
    {
        _call.WriteAnswer(response, _isFound, _number);
        return null;
    }
}
