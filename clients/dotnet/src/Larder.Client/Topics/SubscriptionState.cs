using Larder.Wire;

namespace Larder.Client.Topics;

/// <summary>
/// The state machine of one subscription: it determines what the subscription requests, and how it handles messages and failures (TOP-20 to TOP-27). It does
/// not use the network. The caller passes the current time, whose origin is arbitrary.
/// </summary>
internal sealed class SubscriptionState(SubscribeOptions options, TimeSpan requestTimeout, RetryPolicy backOff)
{
    // The minimum time without a message after which a stream is considered lost (TOP-26). By default, a server sends at least one message per second, so five
    // messages are missing after this time.
    private static readonly TimeSpan MinSilenceTimeout = TimeSpan.FromSeconds(5);
    private const int SilencesMissed = 5;

    private TimeSpan? _begunAt;
    private TimeSpan _connectingSince;
    private TimeSpan _heardAt;
    private TimeSpan _longestSilence;
    private bool _hasBegun;
    private int _failures;

    public SubscriptionPhase Phase { get; private set; }

    /// <summary>Gets the position of the next message. Null if the subscription may start with any message.</summary>
    public TopicPosition? Position { get; private set; } = options.ResumeAt > 0 ? new TopicPosition(options.Page, options.ResumeAt) : null;

    /// <summary>Gets the status that ended the subscription, or null if no failure has ended it.</summary>
    public StatusCode? Error { get; private set; }

    private bool IsOpen => Phase is SubscriptionPhase.Connecting or SubscriptionPhase.Live;

    /// <summary>
    /// Begins the first attempt to connect, or the next attempt after a wait. Returns the position to request, or null if no attempt may begin.
    /// </summary>
    public SubscriptionStartRequest? Connect(TimeSpan now)
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
            ? new SubscriptionStartRequest(position.Number, position.Page, FromNow: false)
            : new SubscriptionStartRequest(0, 0, options.From == TopicStart.Now);
    }

    /// <summary>Handles the start of the response, with the value of its <c>topic-position</c> header.</summary>
    public void Opened(string? text)
    {
        if (IsOpen && TopicPosition.Parse(text) is { } told && (Position is null || (Position is { Page: 0 } asked && asked.Number == told.Number)))
        {
            Position = told;
        }
    }

    /// <summary>Handles an item. Returns whether the item yields an event. <paramref name="gap"/> is the gap to report before the item, or null.</summary>
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

    /// <summary>Handles a discontinuity. Returns the gap to report, or null.</summary>
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

    /// <summary>Handles a heartbeat. Returns whether the heartbeat yields an event.</summary>
    public bool OnHeartbeat(TimeSpan now)
    {
        if (Phase == SubscriptionPhase.Live && now - _heardAt > _longestSilence)
        {
            _longestSilence = now - _heardAt;
        }

        return Hear(now) && options.Heartbeats;
    }

    /// <summary>
    /// Handles the end of the stream. <paramref name="status"/> is the status with which the stream ended, and may be OK. Returns the wait before the next
    /// attempt, or null if the subscription ends. If the subscription ends, <see cref="Error"/> is the status, or <see cref="StatusCode.Unavailable"/> if the
    /// status is OK. The wait is at least <paramref name="atLeast"/>.
    /// </summary>
    public TimeSpan? Failed(StatusCode status, TimeSpan now, double random, TimeSpan atLeast = default)
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
        wait = wait > atLeast ? wait : atLeast;
        if (!_hasBegun && now - _begunAt + wait >= requestTimeout)
        {
            End(status == StatusCode.Ok ? StatusCode.Unavailable : status);
            return null;
        }

        Phase = SubscriptionPhase.Waiting;
        return wait;
    }

    /// <summary>Handles a new token after the server rejected the old token. The subscription retries without waiting.</summary>
    public void Renew() => Phase = IsOpen ? SubscriptionPhase.Waiting : Phase;

    /// <summary>Returns the status with which the caller must abort the stream, or null if the stream has not been silent for too long.</summary>
    public StatusCode? Lost(TimeSpan now) => Phase switch
    {
        SubscriptionPhase.Connecting when now - _connectingSince >= requestTimeout => StatusCode.DeadlineExceeded,
        SubscriptionPhase.Live when now - _heardAt >= Patience => StatusCode.Unavailable,
        _ => null,
    };

    /// <summary>Records that the reader continues after a pause. The pause does not count as silence of the server.</summary>
    public void Resumed(TimeSpan now) => _heardAt = now;

    /// <summary>Ends the subscription at the reader's request.</summary>
    public void Close() => Phase = SubscriptionPhase.Ended;

    private TimeSpan Patience => _longestSilence * SilencesMissed is var longest && longest > MinSilenceTimeout ? longest : MinSilenceTimeout;

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
