// Package rules breaks the rules about sizes, width and tables.
package rules

type long[T any] struct{}

func (*long[T]) function() {
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
}

func allowed() {
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
	println()
}

// The rest makes the file one line longer than a file may be.
var _ = 0
var _ = 1
var _ = 2
var _ = 3
var _ = 4
var _ = 5
var _ = 6
var _ = 7
var _ = 8
var _ = 9
var _ = 10
var _ = 11
var _ = 12
var _ = 13
var _ = 14
var _ = 15
var _ = 16
var _ = 17
var _ = 18
var _ = 19
var _ = 20
var _ = 21
var _ = 22
var _ = 23
var _ = 24
var _ = 25
var _ = 26
var _ = 27
var _ = 28
var _ = 29
var _ = 30
var _ = 31
var _ = 32
var _ = 33
var _ = 34
var _ = 35
var _ = 36
var _ = 37
var _ = 38
var _ = 39
var _ = 40
var _ = 41
var _ = 42
var _ = 43
var _ = 44
var _ = 45
var _ = 46
var _ = 47
var _ = 48
var _ = 49
var _ = 50
var _ = 51
var _ = 52
var _ = 53
var _ = 54
var _ = 55
var _ = 56
var _ = 57
var _ = 58
var _ = 59
var _ = 60
var _ = 61
var _ = 62
var _ = 63
var _ = 64
var _ = 65
var _ = 66
var _ = 67
var _ = 68
var _ = 69
var _ = 70
var _ = 71
var _ = 72
var _ = 73
var _ = 74
var _ = 75
var _ = 76
var _ = 77
var _ = 78
var _ = 79
var _ = 80
var _ = 81
var _ = 82
var _ = 83
var _ = 84
var _ = 85
var _ = 86
var _ = 87
var _ = 88
var _ = 89
var _ = 90
var _ = 91
var _ = 92
var _ = 93
var _ = 94
var _ = 95
var _ = 96
var _ = 97
var _ = 98
var _ = 99
var _ = 100
var _ = 101
var _ = 102
var _ = 103
var _ = 104
var _ = 105
var _ = 106
var _ = 107
var _ = 108
var _ = 109
var _ = 110
var _ = 111
var _ = 112
var _ = 113
var _ = 114
var _ = 115
var _ = 116
var _ = 117
var _ = 118
var _ = 119
var _ = 120
var _ = 121
var _ = 122
var _ = 123
var _ = 124
var _ = 125
var _ = 126
var _ = 127
var _ = 128
var _ = 129
var _ = 130
var _ = 131
var _ = 132
var _ = 133
var _ = 134
var _ = 135
var _ = 136
var _ = 137
var _ = 138
var _ = 139
var _ = 140
var _ = 141
var _ = 142
var _ = 143
var _ = 144
var _ = 145
var _ = 146
var _ = 147
var _ = 148
var _ = 149
var _ = 150
var _ = 151
var _ = 152
var _ = 153
var _ = 154
var _ = 155
var _ = 156
var _ = 157
var _ = 158
var _ = 159
var _ = 160
var _ = 161
var _ = 162
var _ = 163
var _ = 164
var _ = 165
var _ = 166
var _ = 167
var _ = 168
var _ = 169
var _ = 170
var _ = 171
var _ = 172
var _ = 173
var _ = 174
var _ = 175
var _ = 176
var _ = 177
var _ = 178
var _ = 179
var _ = 180
var _ = 181
var _ = 182
var _ = 183
var _ = 184
var _ = 185
var _ = 186
var _ = 187
var _ = 188
var _ = 189
var _ = 190
var _ = 191
var _ = 192
var _ = 193
var _ = 194
var _ = 195
var _ = 196
var _ = 197
var _ = 198
var _ = 199
var _ = 200
var _ = 201
var _ = 202
var _ = 203
var _ = 204
var _ = 205
var _ = 206
var _ = 207
var _ = 208
var _ = 209
var _ = 210
var _ = 211
var _ = 212
var _ = 213
var _ = 214
var _ = 215
var _ = 216
var _ = 217
var _ = 218
var _ = 219
var _ = 220
var _ = 221
var _ = 222
var _ = 223
var _ = 224
var _ = 225
var _ = 226
var _ = 227
var _ = 228
var _ = 229
var _ = 230
var _ = 231
var _ = 232
var _ = 233
var _ = 234
var _ = 235
var _ = 236
var _ = 237
var _ = 238
var _ = 239
var _ = 240
var _ = 241
var _ = 242
var _ = 243
var _ = 244
var _ = 245
var _ = 246
var _ = 247
var _ = 248
var _ = 249
var _ = 250
var _ = 251
var _ = 252
var _ = 253
var _ = 254
var _ = 255
var _ = 256
var _ = 257
var _ = 258
var _ = 259
var _ = 260
var _ = 261
var _ = 262
var _ = 263
var _ = 264
var _ = 265
var _ = 266
var _ = 267
var _ = 268
var _ = 269
var _ = 270
var _ = 271
var _ = 272
var _ = 273
var _ = 274
var _ = 275
var _ = 276
var _ = 277
var _ = 278
var _ = 279
var _ = 280
var _ = 281
var _ = 282
var _ = 283
var _ = 284
var _ = 285
var _ = 286
var _ = 287
var _ = 288
var _ = 289
var _ = 290
var _ = 291
