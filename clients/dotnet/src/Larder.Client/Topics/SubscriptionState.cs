using Larder.Wire;

namespace Larder.Client.Topics;

/// <summary>
/// What one subscription asks for and makes of what comes: functions of its messages, failures and a clock, without a network (TOP-20 to TOP-27). Times are
/// from any beginning.
/// </summary>
internal sealed class SubscriptionState(SubscribeOptions options, TimeSpan requestTimeout, RetryPolicy backOff)
{
    // TOP-26. A server tells of itself each second by default: five missed.
    private static readonly TimeSpan ShortestPatience = TimeSpan.FromSeconds(5);
    private const int SilencesMissed = 5;

    private TimeSpan? _begunAt;
    private TimeSpan _connectingSince;
    private TimeSpan _heardAt;
    private TimeSpan _longestSilence;
    private bool _hasBegun;
    private int _failures;

    public SubscriptionPhase Phase { get; private set; }

    /// <summary>What is waited for; null where any message may be the first.</summary>
    public TopicPosition? Position { get; private set; } = options.ResumeAt > 0 ? new TopicPosition(options.Page, options.ResumeAt) : null;

    /// <summary>The status that ended it; null: none did.</summary>
    public StatusCode? Error { get; private set; }

    private bool IsOpen => Phase is SubscriptionPhase.Connecting or SubscriptionPhase.Live;

    /// <summary>What to ask for, as it begins or after its wait; null where there is nothing to ask.</summary>
    public SubscriptionAsk? Connect(TimeSpan now)
    {
        if (Phase is not (SubscriptionPhase.Idle or SubscriptionPhase.Waiting))
        {
            return null;
        }

        Phase = SubscriptionPhase.Connecting;
        _begunAt ??= now;
        _connectingSince = now;
        if (_hasBegun)
        {
            Position ??= new TopicPosition(0, 1);
        }

        return Position is { } position
            ? new SubscriptionAsk(position.Number, position.Page, FromNow: false)
            : new SubscriptionAsk(0, 0, options.From == TopicStart.Now);
    }

    /// <summary>The answer has begun, with this text as its <c>topic-position</c>.</summary>
    public void Opened(string? text)
    {
        if (IsOpen && TopicPosition.Parse(text) is { } told && (Position is null || (Position is { Page: 0 } asked && asked.Number == told.Number)))
        {
            Position = told;
        }
    }

    /// <summary>An item came: whether it is told, and the gap that is told before it.</summary>
    public bool OnItem(ulong number, ulong page, TimeSpan now, out TopicGap? gap)
    {
        gap = null;
        if (!Hear(now))
        {
            return false;
        }

        if (Position is { } position && (position.Number != number || !IsSamePage(position.Page, page)))
        {
            if (number < position.Number && IsSamePage(position.Page, page))
            {
                return false;
            }

            gap = new TopicGap(position.Number - 1, number, page);
        }

        Position = TopicPosition.After(page, number);
        return true;
    }

    /// <summary>A discontinuity came: the gap that is told, if it is.</summary>
    public TopicGap? OnDiscontinuity(ulong last, ulong newest, ulong page, TimeSpan now)
    {
        TopicPosition after = TopicPosition.After(page, newest);
        if (!Hear(now) || Position == after)
        {
            return null;
        }

        Position = after;
        return new TopicGap(last, after.Number, page);
    }

    /// <summary>A heartbeat came: whether it is told.</summary>
    public bool OnHeartbeat(TimeSpan now)
    {
        if (Phase == SubscriptionPhase.Live && now - _heardAt > _longestSilence)
        {
            _longestSilence = now - _heardAt;
        }

        return Hear(now) && options.Heartbeats;
    }

    /// <summary>The stream ended with a status, OK too: the wait before the next, or null where it is over (<see cref="Error"/>).</summary>
    public TimeSpan? Failed(StatusCode status, TimeSpan now, double random)
    {
        if (!IsOpen)
        {
            return null;
        }

        if (IsFinal(status))
        {
            End(status);
            return null;
        }

        TimeSpan wait = backOff.BackOff(++_failures, random);
        if (!_hasBegun && now - _begunAt + wait >= requestTimeout)
        {
            End(status == StatusCode.Ok ? StatusCode.Unavailable : status);
            return null;
        }

        Phase = SubscriptionPhase.Waiting;
        return wait;
    }

    /// <summary>It was refused for its token and has another now: it asks again at once.</summary>
    public void Renew() => Phase = IsOpen ? SubscriptionPhase.Waiting : Phase;

    /// <summary>The status with which the stream is to be given up, as it has been silent for too long; null where it has not.</summary>
    public StatusCode? Lost(TimeSpan now) => Phase switch
    {
        SubscriptionPhase.Connecting when now - _connectingSince >= requestTimeout => StatusCode.DeadlineExceeded,
        SubscriptionPhase.Live when now - _heardAt >= Patience => StatusCode.Unavailable,
        _ => null,
    };

    /// <summary>Reading goes on, which had stood still on this side: what was silent meanwhile was not the server.</summary>
    public void Resumed(TimeSpan now) => _heardAt = now;

    /// <summary>Its reader has left.</summary>
    public void Close() => Phase = SubscriptionPhase.Ended;

    private TimeSpan Patience => _longestSilence * SilencesMissed is var longest && longest > ShortestPatience ? longest : ShortestPatience;

    private bool IsFinal(StatusCode status) => status
        is StatusCode.InvalidArgument or StatusCode.NotFound or StatusCode.PermissionDenied or StatusCode.FailedPrecondition or StatusCode.Unimplemented
            or StatusCode.Unauthenticated || (status == StatusCode.ResourceExhausted && !_hasBegun);

    private static bool IsSamePage(ulong mine, ulong theirs) => mine == 0 || mine == theirs;

    private bool Hear(TimeSpan now)
    {
        if (!IsOpen)
        {
            return false;
        }

        if (Phase == SubscriptionPhase.Connecting)
        {
            Phase = SubscriptionPhase.Live;
            _hasBegun = true;
            _failures = 0;
        }

        _heardAt = now;
        return true;
    }

    private void End(StatusCode status)
    {
        Phase = SubscriptionPhase.Ended;
        Error = status;
    }
}
