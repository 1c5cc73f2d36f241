using System.Buffers;
using System.Numerics;
using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

/// <summary>Takes the lines of a stretch of the file, in order.</summary>
internal abstract class LogVisitor
{
    internal abstract void Accept(ref RecordReader record, long offset);

    /// <summary>A stretch between good lines that is no line; with its line feeds but the last.</summary>
    internal abstract void Damaged(ReadOnlySpan<byte> region, long offset);
}

/// <summary>What the bytes after the last good line are taken for.</summary>
internal enum TailPolicy
{
    /// <summary>
    /// Every byte was once acknowledged: damaged lines, and where the file ends too soon or has zeros in it (no line has one) it was cut short by someone:
    /// what it holds ends there.
    /// </summary>
    Damaged,

    /// <summary>A write that was cut short or is still in progress: left alone.</summary>
    Torn,

    /// <summary>Damaged lines as far as the last line feed, and after it a write cut short.</summary>
    DamagedLinesThenTorn,
}

/// <summary>Reads a stretch of the file line by line, 256 KB at a time.</summary>
internal static class LogScanner
{
    /// <summary>
    /// A longer line is refused by writers, and where it stands in a file it is damage: 512 MiB, so that a block of twice that holds it whole.
    /// </summary>
    internal const int MostLineBytes = 1 << 29;

    /// <summary>So much of a stretch without a line feed is reported.</summary>
    private const int MostReportedBytes = 64 * 1024;
    private const int BlockBytes = 256 * 1024;

    /// <summary>
    /// Visits the lines of [<paramref name="from"/>, <paramref name="to"/>); returns the end of what is not a torn tail.
    /// </summary>
    internal static long Scan(SafeFileHandle log, long from, long to, LogVisitor visitor, TailPolicy tail, int mostLineBytes = MostLineBytes)
    {
        byte[] block = ArrayPool<byte>.Shared.Rent((int)Math.Clamp(to - from, 256, BlockBytes));
        try
        {
            return Scan(log, from, to, visitor, tail, mostLineBytes, ref block);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(block);
        }
    }

    private static long Scan(SafeFileHandle log, long from, long to, LogVisitor visitor, TailPolicy tail, int mostLineBytes, ref byte[] block)
    {
        long validEnd = from;
        long blockStart = from;
        int filled = 0;
        while (true)
        {
            int want = (int)Math.Min(block.Length - filled, to - blockStart - filled);
            int read = want <= 0 ? 0 : RandomAccess.Read(log, block.AsSpan(filled, want), blockStart + filled);
            filled += read;
            bool last = read == 0;
            int kept = Visit(block.AsSpan(0, filled), blockStart, visitor, tail, ref validEnd);
            if (kept < 0 || (last && tail == TailPolicy.Damaged && blockStart + filled < to))
            {
                return validEnd;
            }
            if (last)
            {
                return validEnd + ReportTail(block.AsSpan(0, filled)[(int)(validEnd - blockStart)..], validEnd, visitor, tail);
            }
            block.AsSpan(kept, filled - kept).CopyTo(block);
            blockStart += kept;
            filled -= kept;
            if (filled > mostLineBytes)
            {
                if (IsHole(block.AsSpan(0, filled), tail))
                {
                    return validEnd;
                }
                // No line of ours: what there is of it is given up, and the rest with the next line feed.
                visitor.Damaged(block.AsSpan(0, MostReportedBytes), blockStart);
                blockStart += filled;
                validEnd = blockStart;
                filled = 0;
            }
            else if (filled == block.Length)
            {
                byte[] larger = ArrayPool<byte>.Shared.Rent(block.Length * 2);
                block.CopyTo(larger.AsSpan());
                ArrayPool<byte>.Shared.Return(block);
                block = larger;
            }
        }
    }

    /// <summary>
    /// Visits the whole lines of a block; returns how many of its bytes are done with, or -1 before a hole. A damaged stretch is kept until the next good
    /// line ends it.
    /// </summary>
    private static int Visit(ReadOnlySpan<byte> block, long blockStart, LogVisitor visitor, TailPolicy tail, ref long validEnd)
    {
        int done = (int)(validEnd - blockStart);
        int at = done;
        while (true)
        {
            int length = block[at..].IndexOf((byte)'\n');
            if (length < 0)
            {
                return done;
            }
            if (RecordReader.TryOpen(block.Slice(at, length), out RecordReader record))
            {
                if (at > done)
                {
                    if (IsHole(block[done..at], tail))
                    {
                        return -1;
                    }
                    visitor.Damaged(block[done..(at - 1)], blockStart + done);
                }
                visitor.Accept(ref record, blockStart + at);
                done = at + length + 1;
                validEnd = blockStart + done;
            }
            at += length + 1;
        }
    }

    /// <summary>Reports the damaged part of what follows the last good line; returns its length.</summary>
    private static int ReportTail(ReadOnlySpan<byte> bytes, long offset, LogVisitor visitor, TailPolicy tail)
    {
        int damaged = tail switch
        {
            TailPolicy.Damaged => IsHole(bytes, tail) ? 0 : bytes.Length,
            TailPolicy.Torn => 0,
            _ => IsWholeButItsLineFeed(bytes[(bytes.LastIndexOf((byte)'\n') + 1)..]) ? bytes.Length : bytes.LastIndexOf((byte)'\n') + 1,
        };
        if (damaged > 0)
        {
            ReadOnlySpan<byte> region = bytes[..damaged];
            visitor.Damaged(region[^1] == '\n' ? region[..^1] : region, offset);
        }
        return damaged;
    }

    private static bool IsHole(ReadOnlySpan<byte> bytes, TailPolicy tail) => tail == TailPolicy.Damaged && bytes.Contains((byte)0);

    private static bool IsWholeButItsLineFeed(ReadOnlySpan<byte> rest) =>
        rest.Length > 1 && ((BitOperations.IsPow2(rest[^1] ^ (byte)'\n') && RecordReader.TryOpen(rest[..^1], out _)) || EditedLine.TryRead(rest, []));
}
