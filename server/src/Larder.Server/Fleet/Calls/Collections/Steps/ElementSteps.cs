using Larder.Server.Calls;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>
/// Splits a call with more than <see cref="FleetLimits.ElementsPerStep"/> elements into commands that run one after another, so that no command blocks its node
/// for long (FLEET-13). Each step decodes its part of the stored request again.
/// </summary>
internal abstract class ElementSteps : RemoteJoin
{
    private readonly IElementsCommand _call;
    private readonly ElementShape? _shape;
    private readonly bool _isBackward;
    private readonly Range _name;
    private readonly int _at;
    private readonly int[] _bounds;
    private readonly CollectionTtl _ttl;
    private readonly uint _truncateTo;
    private int _taken;

    /// <summary>Creates the steps of a request that contains its elements in field 2.</summary>
    /// <param name="whole">The call, whose request must already be stored.</param>
    /// <param name="call">Begins the commands.</param>
    /// <param name="fields">The request, decoded from <paramref name="request"/>.</param>
    /// <param name="request">The request message, with the same bytes as the stored request.</param>
    /// <param name="shape">The encoding of the elements.</param>
    /// <param name="isBackward">Whether the steps process the elements in reverse order.</param>
    protected ElementSteps(
        RemoteCommand whole,
        IElementsCommand call,
        scoped in ElementsRequest fields,
        ReadOnlySpan<byte> request,
        ElementShape shape,
        bool isBackward = false)
        : this(whole, call, request, fields.Name)
    {
        _shape = shape;
        _isBackward = isBackward;
        _ttl = fields.Ttl;
        _truncateTo = fields.Fifth;
        _bounds = StepBounds.Of(request, field: 2, FleetLimits.ElementsPerStep);
    }

    /// <summary>Creates the steps of a request that contains its elements in field 1 of a nested message.</summary>
    /// <inheritdoc cref="ElementSteps(RemoteCommand, IElementsCommand, in ElementsRequest, ReadOnlySpan{byte}, ElementShape, bool)"/>
    protected ElementSteps(RemoteCommand whole, IElementsCommand call, scoped in ChosenElements fields, ReadOnlySpan<byte> request)
        : this(whole, call, request, fields.Name)
    {
        request.Overlaps(fields.Chosen, out _at);
        _bounds = StepBounds.Of(fields.Chosen, field: 1, FleetLimits.ElementsPerStep);
    }

    private ElementSteps(RemoteCommand whole, IElementsCommand call, ReadOnlySpan<byte> request, ReadOnlySpan<byte> name)
        : base(whole)
    {
        request.Overlaps(name, out int at);
        _name = at..(at + name.Length);
        _call = call;
        _bounds = [];
    }

    protected sealed override int AtOnce => 1;

    protected sealed override Effort PartEffort => Effort.Heavy;

    protected sealed override bool BeginNext(RemoteCommand part)
    {
        int steps = _bounds.Length - 1;
        if (_taken == steps)
        {
            return false;
        }

        int step = _isBackward ? steps - 1 - _taken : _taken;
        _taken++;
        BeginStep(part, Whole.Request.Span, _at + _bounds[step], _bounds[step + 1] - _bounds[step]);
        return true;
    }

    private void BeginStep(RemoteCommand part, ReadOnlySpan<byte> request, int at, int length)
    {
        if (_shape is { } shape)
        {
            using ElementsRequest fields = ElementsRequest.Decode(request.Slice(at, length), shape);
            _call.BeginPart(part, new ElementsPart(request[_name], fields.Elements, _ttl, _truncateTo));
            return;
        }

        RequestItems items = new();
        try
        {
            items.AddAll(request, at, length);
            _call.BeginPart(part, new ElementsPart(request[_name], items.In(request)));
        }
        finally
        {
            items.Dispose();
        }
    }
}
