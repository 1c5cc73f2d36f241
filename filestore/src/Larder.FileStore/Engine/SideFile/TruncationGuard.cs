using System.Runtime.InteropServices;

namespace Larder.FileStore.Engine;

/// <summary>
/// Keeps the process alive if a mapped file is truncated. Reading a page of a truncated file raises SIGBUS, which .NET turns into an AccessViolationException
/// that cannot be caught. The guard replaces the page with a page of zeros. <see cref="Sidecar"/> detects the zeros and repairs the file.
/// </summary>
/// <remarks>
/// The signal interrupts a thread that runs managed code, so the signal handler cannot be managed code. The handler consists of a few machine instructions,
/// shown in the comments. The handler uses only its own stack, takes no lock and passes every other SIGBUS to the previously installed handler, which is
/// .NET's. The handler reads one control block, with these offsets: 0 the table of guarded pages (a count, then addresses; 0 for a free entry) · 8 the previous
/// handler · 16 the page size. A full table is replaced by a table of twice its size. The old table is never freed, because a handler may be reading it.
/// The guard works on Linux with x64 or arm64 processors. It has no effect on other systems and processors, or if the system forbids new executable memory.
/// </remarks>
internal static unsafe class TruncationGuard
{
    private const int BusError = 7;
    private const int SmallestTable = 16;

    /// <summary>struct sigaction of the C library has 152 bytes on 64-bit Linux; the handler is its first field.</summary>
    private const int ActionBytes = 192;

    /// <summary>The placeholder in the machine code for the address of the control block.</summary>
    private const long ControlMark = 0x1111_1111_1111_1111;

    // movabs rcx, control · mov rax, [rsi+16] · mov r8, [rcx+16] · neg r8 · and rax, r8 · mov r8, [rcx] · mov r9, [r8]
    // next: test r9, r9 · jz former · add r8, 8 · dec r9 · cmp [r8], rax · jne next
    // push rdi · push rsi · push rdx · mov rdi, rax · mov rsi, [rcx+16] · mov edx, 3 · mov r10d, 0x32 · mov r8, -1 · xor r9d, r9d · push rcx · mov eax, 9
    // syscall (mmap: private, anonymous, fixed) · pop rcx · pop rdx · pop rsi · pop rdi · cmp rax, -4096 · ja former · ret
    // former: jmp [rcx+8]
    private const string X64 =
        "48b91111111111111111488b46104c8b411049f7d84c21c04c8b014d8b084d85c974404983c00849ffc949390075ef5756524889c7488b7110ba0300000041ba3200000049c7c0ffffffff"
        + "4531c951b8090000000f05595a5e5f483d00f0ffff7701c3ff6108";

    // ldr x9, control · ldr x10, [x1, 16] · ldr x11, [x9, 16] · neg x11, x11 · and x10, x10, x11 · ldr x12, [x9] · ldr x13, [x12], 8
    // next: cbz x13, former · ldr x14, [x12], 8 · sub x13, x13, 1 · cmp x14, x10 · b.ne next
    // mov x15, x0 · mov x16, x1 · mov x17, x2 · mov x0, x10 · ldr x1, [x9, 16] · mov x2, 3 · mov x3, 0x32 · mov x4, -1 · mov x5, 0 · mov x8, 222
    // svc 0 (mmap) · cmn x0, 4095 · mov x0, x15 · mov x1, x16 · mov x2, x17 · b.hs former · ret
    // former: ldr x16, [x9, 8] · br x16 · nop · the address of the control block
    private const string Arm64 =
        "090400582a0840f92b0940f9eb030bcb4a010b8a2c0140f98d8540f8cd0200b48e8540f8ad0500d1df010aeb81ffff54ef0300aaf00301aaf10302aae0030aaa210940f9620080d2"
        + "430680d204008092050080d2c81b80d2010000d41ffc3fb1e0030faae10310aae20311aa42000054c0035fd6300540f900021fd61f2003d51111111111111111";

    private static readonly Lock Gate = new();
    private static nint* _control;
    private static bool _isTried;

    /// <summary>Gets whether the process survives truncations. The value is valid after the first call of <see cref="Add"/>.</summary>
    internal static bool IsActive { get; private set; }

    /// <summary>Guards the mapped page that begins at <paramref name="page"/>.</summary>
    internal static void Add(nint page)
    {
        lock (Gate)
        {
            if (!_isTried)
            {
                _isTried = true;
                IsActive = TryInstall();
            }
            if (IsActive)
            {
                *FreePlace() = page;
            }
        }
    }

    /// <summary>Stops guarding <paramref name="page"/>, which is about to be unmapped.</summary>
    internal static void Remove(nint page)
    {
        lock (Gate)
        {
            nint* table = _control == null ? null : (nint*)_control[0];
            for (nint i = 1; table != null && i <= table[0]; i++)
            {
                if (table[i] == page)
                {
                    Volatile.Write(ref table[i], 0);
                    return;
                }
            }
        }
    }

    private static nint* FreePlace()
    {
        nint* table = (nint*)_control[0];
        for (nint i = 1; i <= table[0]; i++)
        {
            if (table[i] == 0)
            {
                return table + i;
            }
        }
        nint* larger = NewTable(table[0] * 2);
        new ReadOnlySpan<nint>(table + 1, (int)table[0]).CopyTo(new Span<nint>(larger + 1, (int)table[0]));
        Volatile.Write(ref _control[0], (nint)larger);
        return larger + table[0] + 1;
    }

    private static nint* NewTable(nint places)
    {
        nint* table = (nint*)NativeMemory.AllocZeroed((nuint)(places + 1), (nuint)sizeof(nint));
        table[0] = places;
        return table;
    }

    private static bool TryInstall()
    {
        string? code = !OperatingSystem.IsLinux() ? null : RuntimeInformation.ProcessArchitecture switch
        {
            Architecture.X64 => X64,
            Architecture.Arm64 => Arm64,
            _ => null,
        };
        byte* action = stackalloc byte[ActionBytes];
        new Span<byte>(action, ActionBytes).Clear();
        // Without a previously installed handler (0 is the default action, 1 is ignore), the guard could not pass on other signals.
        if (code is null || NativeMethods.SignalAction(BusError, null, action) != 0 || *(nint*)action is 0 or 1)
        {
            return false;
        }
        _control = (nint*)NativeMemory.AllocZeroed(3, (nuint)sizeof(nint));
        (_control[0], _control[1], _control[2]) = ((nint)NewTable(SmallestTable), *(nint*)action, Environment.SystemPageSize);
        nint handler = Place(Convert.FromHexString(code));
        if (handler == 0)
        {
            return false;
        }
        // Keep the previous handler's flags and mask, so that the previous handler runs in the environment that it expects.
        *(nint*)action = handler;
        return NativeMethods.SignalAction(BusError, action, null) == 0;
    }

    /// <summary>Copies the code to a separate page that is executable and no longer writable. Returns 0 if the system forbids it.</summary>
    private static nint Place(byte[] code)
    {
        int at = code.AsSpan().IndexOf(BitConverter.GetBytes(ControlMark));
        BitConverter.TryWriteBytes(code.AsSpan(at), (long)_control);
        nuint bytes = (nuint)Environment.SystemPageSize;
        nint page = NativeMethods.Map(0, bytes, NativeMethods.ProtectReadWrite, NativeMethods.MapPrivate | NativeMethods.MapAnonymous, -1, 0);
        if (page == -1)
        {
            return 0;
        }
        code.CopyTo(new Span<byte>((byte*)page, code.Length));
        if (NativeMethods.Protect(page, bytes, NativeMethods.ProtectReadExecute) == 0)
        {
            return page;
        }
        _ = NativeMethods.Unmap(page, bytes);
        return 0;
    }
}
