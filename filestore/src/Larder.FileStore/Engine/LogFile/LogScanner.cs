using System.Buffers;
using System.Numerics;
using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

/// <summary>Receives the lines of a range of the file, in order.</summary>
internal abstract class LogVisitor
{
    internal abstract void Accept(ref RecordReader record, long offset);

    /// <summary>Receives a damaged region between valid lines, without the last line feed of the region.</summary>
    internal abstract void Damaged(ReadOnlySpan<byte> region, long offset);
}

/// <summary>How to interpret the bytes after the last valid line.</summary>
internal enum TailPolicy
{
    /// <summary>
    /// Treats the bytes as damaged lines, because every byte was once acknowledged. If the file ends too early or contains zero bytes (which no line contains),
    /// the file was truncated and its contents end there.
    /// </summary>
    Damaged,

    /// <summary>Ignores the bytes, because they belong to a write that was truncated or is still in progress.</summary>
    Torn,

    /// <summary>Treats the bytes up to the last line feed as damaged lines, and the bytes after it as a truncated write.</summary>
    DamagedLinesThenTorn,
}

/// <summary>Reads a range of the file line by line, 256 KB at a time.</summary>
internal static class LogScanner
{
    /// <summary>
    /// The maximum length of a line: 512 MiB. Writers reject longer lines, and a longer line in a file is treated as damage. A block of twice this size always
    /// contains a complete line.
    /// </summary>
    internal const int MaxLineBytes = 1 << 29;

    /// <summary>The maximum number of bytes that are reported as damaged at the start of a line that is too long.</summary>
    private const int MaxReportedBytes = 64 * 1024;
    private const int BlockBytes = 256 * 1024;

    /// <summary>
    /// Visits the lines of [<paramref name="from"/>, <paramref name="to"/>). Returns the offset at which the torn tail begins, or the end of the range.
    /// </summary>
    internal static long Scan(SafeFileHandle log, long from, long to, LogVisitor visitor, TailPolicy tail, int mostLineBytes = MaxLineBytes)
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
                // The line is too long to be valid. Report its beginning as damaged and skip the bytes read so far. The rest of the line is skipped when the
                // next line feed is read.
                visitor.Damaged(block.AsSpan(0, MaxReportedBytes), blockStart);
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
    /// Visits the valid lines of a block. Invalid lines between two valid lines are reported as one damaged region when the second valid line is found. Returns
    /// the offset in the block at which the last valid line ends, or -1 if there is a hole before a valid line.
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

    /// <summary>Reports the damaged part of the bytes after the last valid line. Returns the length of the damaged part.</summary>
    private static int ReportTail(ReadOnlySpan<byte> bytes, long offset, LogVisitor visitor, TailPolicy tail)
    {
        int damaged = tail switch
        {
            TailPolicy.Damaged => IsHole(bytes, tail) ? 0 : bytes.Length,
            TailPolicy.Torn => 0,
            _ => LacksOnlyLineFeed(bytes[(bytes.LastIndexOf((byte)'\n') + 1)..]) ? bytes.Length : bytes.LastIndexOf((byte)'\n') + 1,
        };
        if (damaged > 0)
        {
            ReadOnlySpan<byte> region = bytes[..damaged];
            visitor.Damaged(region[^1] == '\n' ? region[..^1] : region, offset);
        }
        return damaged;
    }

    private static bool IsHole(ReadOnlySpan<byte> bytes, TailPolicy tail) => tail == TailPolicy.Damaged && bytes.Contains((byte)0);

    private static bool LacksOnlyLineFeed(ReadOnlySpan<byte> rest) =>
        rest.Length > 1 && ((BitOperations.IsPow2(rest[^1] ^ (byte)'\n') && RecordReader.TryOpen(rest[..^1], out _)) || EditedLine.TryRead(rest, []));
}
