using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>
/// Removes a value from a long list in parts. Redis searches a list from one of its ends. The first half of the list is therefore processed from the front, and
/// the second half from the back. If another caller moves an element from an unprocessed part to a processed part, the element may remain.
/// </summary>
/// <param name="whole">The call, whose request must already be stored.</param>
internal sealed class ListRemoveSteps(RemoteCommand whole) : PartSteps(whole)
{
    // _front and _back count the checked elements that remain at the front and at the back. _left counts the initial elements that have not been checked yet.
    private long _front;
    private long _back;
    private long _left = -1;
    private long _length;

    private bool IsBack => _left >= 0 && _front >= _length / 2;

    protected override void BeginStep(RemoteCommand part)
    {
        using ChosenElements fields = ChosenElements.Decode(Whole.Request.Span);
        part.Begin(CollectionScripts.ListRemovePart, fields.Name, 4);
        part.Add(fields.Chosen);
        part.Add(IsBack ? _back : _front);
        part.Add(_left < 0 ? FleetLimits.ListPartElements : Math.Min(FleetLimits.ListPartElements, Math.Min(_left, _length - _front - _back)));
        part.Add(IsBack ? 1 : 0);
    }

    protected override void Take(int index, ref RespReader reply)
    {
        if (reply.IsNull)
        {
            IsMissing = _left < 0;
            IsOver = true;
            _length = 0;
            return;
        }

        bool wasBack = IsBack;
        reply.Read();
        _length = reply.Integer;
        reply.Read();
        long kept = reply.Integer;
        reply.Read();
        long removed = reply.Integer;
        _left = (_left < 0 ? _length + removed : _left) - kept - removed;
        if (wasBack)
        {
            _back += kept;
        }
        else
        {
            _front += kept;
        }

        IsOver = _left <= 0 || _front + _back >= _length;
    }

    protected override CallError? WriteFound(IBufferWriter<byte> response)
    {
        response.WriteVarintArm(1, CollectionAnswer.ToUInt32(_length));
        return null;
    }
}
