using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Pipeline;

/// <content>
/// The part for the near cache: requests to become the near stream, and invalidations from the server. <c>near_open</c> and <c>near_renew</c> are not calls and
/// need no permit. They share one id, which follows the ids of calls, so only one such request can be in progress at a time.
/// </content>
internal sealed partial class PipelineStream : INearStream
{
    private const int NearOpenField = 80;
    private const int NearRenewField = 81;
    private const int TicketField = 64;
    private const int TtlLeftField = 65;
    private const int InvalidatedField = 3;
    private const int ClearField = 4;

    // The maximum number of tickets that are passed to the near cache in one step.
    private const int TicketsPerMessage = 256;

    private readonly NearReads? _near;

    // Buffer for the tickets of a message. Used only by the reader.
    private readonly uint[] _tickets;

    // The field number of the request in progress, or 0. Guarded by the lock.
    private int _nearAsk;
    private TimeSpan _nearAskedAt;

    /// <inheritdoc/>
    public long Number { get; }

    /// <inheritdoc/>
    public object Owner => _host;

    private int NearId => _slots.Length;

    public void AskOpen() => Ask(NearOpenField);

    public void AskRenew() => Ask(NearRenewField);

    private void Ask(int field)
    {
        bool signals;
        lock (_lock)
        {
            if (_isRetired || _nearAsk != 0)
            {
                return;
            }

            // The time is recorded before the request is written, so that the lease starts no later than the moment when the request is sent.
            _nearAsk = field;
            _nearAskedAt = _near!.Now;
            _filling.AddEmpty((uint)NearId, field);
            signals = MustSignal();
        }

        if (signals)
        {
            _call.Signal();
        }
    }

    private void AnswerNear(int outcome, ReadOnlySpan<byte> payload)
    {
        int asked;
        TimeSpan askedAt;
        lock (_lock)
        {
            (asked, askedAt) = (_nearAsk, _nearAskedAt);
            _nearAsk = 0;
        }

        if (asked == 0)
        {
            throw new FormatException($"result {NearId} does not match a call");
        }

        switch (outcome)
        {
            case NearOpenField when asked == NearOpenField:
                _near!.Opened(this, askedAt, Operations.Answer.ReadVarint(payload, 1));
                break;
            case NearRenewField when asked == NearRenewField:
                _near!.Renewed(this, askedAt);
                break;
            default:
                _near!.Refused(this, outcome == StatusField ? ReadStatus(payload).Message : $"the server returned the unknown outcome {outcome}");
                break;
        }
    }

    // Applies the invalidations of a message. They are applied before the results of the message, regardless of their position in the message (NEAR-6).
    private void ReadChanges(ReadOnlySpan<byte> message)
    {
        ProtoReader reader = new(message);
        while (reader.NextField())
        {
            if (reader.Is(InvalidatedField, ProtoWireType.LengthDelimited))
            {
                reader.TryReadBytes(out ReadOnlySpan<byte> packed);
                ReadTickets(packed);
            }
            else if (reader.Is(InvalidatedField, ProtoWireType.Varint))
            {
                reader.TryReadVarint(out ulong ticket);
                _near!.Invalidated(this, [(uint)ticket]);
            }
            else if (reader.Is(ClearField, ProtoWireType.Varint))
            {
                reader.TryReadVarint(out ulong clear);
                if (clear != 0)
                {
                    _near!.Cleared(this);
                }
            }
            else
            {
                reader.TrySkip();
            }
        }
    }

    private void ReadTickets(ReadOnlySpan<byte> packed)
    {
        int count = 0;
        ProtoReader reader = new(packed);
        while (reader.Position < packed.Length)
        {
            if (!reader.TryReadVarint(out ulong ticket))
            {
                throw new FormatException("an invalidation contains an invalid varint");
            }

            _tickets[count++] = (uint)ticket;
            if (count == TicketsPerMessage || reader.Position == packed.Length)
            {
                _near!.Invalidated(this, _tickets.AsSpan(0, count));
                count = 0;
            }
        }
    }
}
