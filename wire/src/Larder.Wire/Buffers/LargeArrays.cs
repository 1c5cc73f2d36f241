using System.Buffers;

namespace Larder.Wire;

/// <summary>
/// Arrays for buffers of any size, of the whole process. Small ones are the shared pool's. That pool would keep tens of megabytes of large ones, so those are kept
/// here: up to <see cref="KeptBytes"/>, for as long as somebody asks for some; the rest is left to the collector, which is told when it is much.
/// </summary>
internal static class LargeArrays
{
    /// <summary>The largest array that is the shared pool's.</summary>
    public const int SmallBytes = 64 * 1024;

    /// <summary>
    /// Bytes kept for the next who ask; more are let go. 24 MB: every array that a message of the largest size takes while it grows to its 11 MB.
    /// </summary>
    public const int KeptBytes = 24 * 1024 * 1024;

    // Three seconds: a large value now and then finds its array. Together with the wait for a collection that is well under ten.
    private const int QuietTrims = 6;

    private const int Megabyte = 1024 * 1024;

    // 128, 256, 512 KB, and then whole megabytes up to the largest message and a little.
    private const int SmallClasses = 3;
    private const int Classes = SmallClasses + 16;

    private static readonly Lock s_lock = new();
    private static readonly Stack<byte[]>[] s_kept = [.. Enumerable.Range(0, Classes).Select(_ => new Stack<byte[]>())];
    private static int s_keptBytes;
    private static int s_rents;
    private static int s_rentsAtTrim;
    private static int s_quietTrims;

    /// <summary>Bytes kept now.</summary>
    public static int Kept
    {
        get
        {
            lock (s_lock)
            {
                return s_keptBytes;
            }
        }
    }

    /// <summary>The length of the array that <see cref="Rent"/> gives for a size.</summary>
    public static int LengthFor(int bytes) => bytes <= Megabyte ? ArrayLength(bytes) : checked((bytes + Megabyte - 1) / Megabyte * Megabyte);

    /// <summary>An array of at least <paramref name="bytes"/>, with anything in it.</summary>
    public static byte[] Rent(int bytes)
    {
        if (bytes <= SmallBytes)
        {
            return ArrayPool<byte>.Shared.Rent(bytes);
        }

        int length = LengthFor(bytes);
        int index = ClassOf(length);
        lock (s_lock)
        {
            s_rents++;
            if (index < Classes && s_kept[index].TryPop(out byte[]? kept))
            {
                s_keptBytes -= length;
                return kept;
            }
        }

        return GC.AllocateUninitializedArray<byte>(length);
    }

    /// <summary>Takes an array of <see cref="Rent"/> back; nobody else holds it.</summary>
    public static void Return(byte[] array)
    {
        if (array.Length <= SmallBytes)
        {
            ArrayPool<byte>.Shared.Return(array);
            return;
        }

        int index = ClassOf(array.Length);
        lock (s_lock)
        {
            if (index < Classes && s_keptBytes + array.Length <= KeptBytes)
            {
                s_kept[index].Push(array);
                s_keptBytes += array.Length;
            }
            else
            {
                IdleMemory.Dropped(array.Length);
            }
        }
    }

    /// <summary>Lets go of what is kept where nobody has asked for some. Called twice a second.</summary>
    public static void Trim()
    {
        lock (s_lock)
        {
            s_quietTrims = s_rents == s_rentsAtTrim ? s_quietTrims + 1 : 0;
            if (s_quietTrims >= QuietTrims && s_keptBytes > 0)
            {
                Array.ForEach(s_kept, static arrays => arrays.Clear());
                IdleMemory.Dropped(s_keptBytes);
                s_keptBytes = 0;
            }

            s_rentsAtTrim = s_rents;
        }
    }

    private static int ArrayLength(int bytes) => (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)Math.Max(bytes, 16));

    private static int ClassOf(int length) =>
        length < Megabyte ? System.Numerics.BitOperations.Log2((uint)length) - 17 : SmallClasses + (length / Megabyte) - 1;
}
