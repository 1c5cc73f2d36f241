using System.Buffers;
using System.IO.Pipelines;
using Larder.Wire.Sockets;

namespace Larder.Server.Console;

/// <summary>
/// Counts the TLS records of a console connection and closes the connection if it sends too many, for example key updates or tiny records. A console request
/// needs only one or two records, so records of all types count. Allows a burst of <see cref="TlsRecordGuard.KeyUpdateBurst"/> records, and
/// <see cref="TlsRecordGuard.KeyUpdatesPerSecond"/> records per second after that.
/// </summary>
internal sealed class TlsRecordCounter(PipeReader records, TimeProvider time, Action abort) : PipeReader
{
    private readonly TlsRecordGuard _guard = EstablishedGuard(time);
    private ReadOnlySequence<byte> _read;

    public override bool TryRead(out ReadResult result)
    {
        bool hasRead = records.TryRead(out result);
        _read = result.Buffer;
        return hasRead;
    }

    public override async ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
    {
        ReadResult result = await records.ReadAsync(cancellationToken).ConfigureAwait(false);
        _read = result.Buffer;
        return result;
    }

    public override void AdvanceTo(SequencePosition consumed) => AdvanceTo(consumed, consumed);

    public override void AdvanceTo(SequencePosition consumed, SequencePosition examined)
    {
        bool isFlood = false;
        try
        {
            foreach (ReadOnlyMemory<byte> part in _read.Slice(_read.Start, consumed))
            {
                _guard.Arrived(part.Span);
            }

            _guard.Check();
        }
        catch (TlsFloodException)
        {
            isFlood = true;
        }

        records.AdvanceTo(consumed, examined);
        if (isFlood)
        {
            abort();
        }
    }

    public override void CancelPendingRead() => records.CancelPendingRead();

    public override void Complete(Exception? exception = null) => records.Complete(exception);

    // Creates a guard that counts as if the handshake had already completed. The records of the handshake, about five, therefore count too. The guard does not
    // know how much application data was read, so it counts the content of every record as TLS messages.
    private static TlsRecordGuard EstablishedGuard(TimeProvider time)
    {
        TlsRecordGuard guard = new(isServer: true, time);
        guard.Established(isTls13: true);
        return guard;
    }
}
